import { afterEach, describe, expect, it, vi } from "vitest";
import { type AdGenClient, createClient, pollJob } from "../../src/index.ts";
import { rejection } from "../helpers/client.ts";

afterEach(() => vi.unstubAllGlobals());

const create = (baseUrl: string): AdGenClient => createClient({ baseUrl, apiKey: null });

const refusal = (baseUrl: string) =>
  `baseUrl "${baseUrl}" is relative, and there is no page here to complete it: ` +
  "call it in a browser, or give the whole address";

describe("a relative base URL where there is no page", () => {
  it.each(["/", "/adgen", "./adgen", "../adgen"])(
    "is taken by createClient and refused by the first call: %s",
    async (baseUrl) => {
      const fetch = vi.fn();
      vi.stubGlobal("fetch", fetch);

      const error = await rejection(create(baseUrl).jobs.list());

      expect(error).toMatchObject({ code: "config", message: refusal(baseUrl) });
      expect(error.outcome).toBeUndefined();
      expect(fetch).not.toHaveBeenCalled();
    },
  );

  it("refuses a write as not sent", async () => {
    const error = await rejection(create("/adgen").jobs.submit({ action: "generate-ad" }));

    expect(error).toMatchObject({
      code: "config",
      outcome: "not-sent",
      message: refusal("/adgen"),
    });
  });

  it("ends a wait at once", async () => {
    const error = await rejection(pollJob(create("/adgen"), "j"));

    expect(error).toMatchObject({ code: "config", jobId: "j", message: refusal("/adgen") });
    expect(error.elapsedMs).toBeLessThan(20_000);
  });
});

describe.each([
  ["in a page", { href: "https://shop.test/admin/ads.html" }],
  ["where there is no page", undefined],
])("a base URL that would lead a page to another host, %s", (_, location) => {
  it.each(["//ads.test/adgen", "//ads.test", "/\\ads.test", "/\t/ads.test", "///ads.test"])(
    "is refused: %j",
    (baseUrl) => {
      vi.stubGlobal("location", location);

      expect(() => create(baseUrl)).toThrow(
        /^baseUrl must begin with http:\/\/ or https:\/\/, got "/,
      );
    },
  );

  it("may have two slashes behind its first part", () => {
    vi.stubGlobal("location", location);

    expect(() => create("./adgen//")).not.toThrow();
    expect(() => create("/adgen//x")).not.toThrow();
  });
});

describe("a relative base URL in a page", () => {
  it("begins with a slash or a dot: a host without its https:// is none", () => {
    vi.stubGlobal("location", { href: "https://shop.test/admin/ads.html" });

    expect(() => create("api.example.com")).toThrow(
      'baseUrl must begin with http:// or https://, got "api.example.com"',
    );
  });

  it.each([
    ["/api", "https://shop.test/api/v1/jobs"],
    ["./api", "https://shop.test/admin/api/v1/jobs"],
    ["../api/", "https://shop.test/api/v1/jobs"],
  ])("is completed by it: %s leads to %s", async (baseUrl, url) => {
    vi.stubGlobal("location", { href: "https://shop.test/admin/ads.html" });
    const fetch = vi.fn(async (_url: string) =>
      Response.json({ success: true, data: [], error: null }),
    );
    vi.stubGlobal("fetch", fetch);

    await create(baseUrl).jobs.list();

    expect(fetch.mock.calls[0]?.[0]).toBe(url);
  });
});
