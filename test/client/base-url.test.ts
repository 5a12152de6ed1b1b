import { afterEach, describe, expect, it, vi } from "vitest";
import { ConfigError, createClient } from "../../src/index.ts";
import { success } from "../helpers/answers.ts";
import { clientOf } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import { processorMsOf } from "../helpers/processor-time.ts";

/** Gives the URL that a request goes to. */
const target = async (baseUrl: string | URL): Promise<string> => {
  const urls: string[] = [];
  const fetch = async ({ url }: Request): Promise<Response> => {
    urls.push(url);
    return Response.json({ success: true, data: [], error: null });
  };
  await createClient({ baseUrl, apiKey: "ak-1", fetch }).jobs.list();
  return urls.join();
};

/** The message by which createClient refuses a base URL. */
const refusalOf = (baseUrl: string): string => {
  try {
    createClient({ baseUrl, apiKey: "ak-1" });
  } catch (error) {
    expect(error).toMatchObject({ code: "config", outcome: "not-sent" });
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error("It was taken.");
};

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

describe("the base URL", () => {
  it.each([
    ["https://ads.test", "https://ads.test/v1/jobs"],
    ["https://ads.test/", "https://ads.test/v1/jobs"],
    ["https://ads.test///", "https://ads.test/v1/jobs"],
    ["https://ads.test/api", "https://ads.test/api/v1/jobs"],
    ["https://ads.test/api/ads//", "https://ads.test/api/ads/v1/jobs"],
    ["https://ads.test/a/../b", "https://ads.test/b/v1/jobs"],
    ["https://ads.test/%2e%2e/b%2Fc", "https://ads.test/b%2Fc/v1/jobs"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080/v1/jobs"],
    ["http://[::1]:8080/x", "http://[::1]:8080/x/v1/jobs"],
    ["HTTPS://ADS.test", "https://ads.test/v1/jobs"],
    [" https://ads.test ", "https://ads.test/v1/jobs"],
    ["https://ads.test/?", "https://ads.test/v1/jobs"],
    [new URL("https://ads.test/api/"), "https://ads.test/api/v1/jobs"],
  ])("%s leads to %s", async (baseUrl, url) => {
    expect(await target(baseUrl)).toBe(url);
  });

  it("keeps its prefix on the wire", async () => {
    const server = await listen(success([]));

    await clientOf({ url: `${server.url}/gateway/ads/` }).brands.list();

    expect(server.received[0]?.url).toBe("/gateway/ads/v1/brands");
  });

  it("may be relative to the page, in a browser", async () => {
    vi.stubGlobal("location", { href: "https://shop.test/admin/ads.html" });

    expect(await target("/api")).toBe("https://shop.test/api/v1/jobs");
  });

  it.each([
    ["https://ads.test/?key=1", "must not have a query or a fragment (what follows ? or #)"],
    ["https://ads.test/#top", "must not have a query or a fragment (what follows ? or #)"],
    ["https://user:secret@ads.test", "must not hold a user name or a password (use apiKey)"],
    ["https://secret@ads.test", "must not hold a user name or a password (use apiKey)"],
    ["https://user:secret@ads test", "must begin with http:// or https://"],
    ["user:secret@ads.test", "must begin with http:// or https://"],
    ["ftp://user:secret@ads.test", "must begin with http:// or https://"],
  ])("refuses %s, without quoting it", (baseUrl, problem) => {
    expect(refusalOf(baseUrl)).toBe(`baseUrl ${problem}`);
  });

  it.each([
    "ftp://ads.test",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:text/plain,a",
    "blob:https://ads.test/1",
    "ws://ads.test",
    "ads.test",
    "ads.test:8080",
    "api",
    "https://",
    "https://ads test",
    "not a URL",
  ])("refuses %s, and quotes it: it holds no credentials", (baseUrl) => {
    expect(refusalOf(baseUrl)).toBe(
      `baseUrl must begin with http:// or https://, got "${baseUrl}"`,
    );
  });

  it.each(["https://ads.test/v1", "https://ads.test/api/v1/", "https://ads.test/v1//"])(
    "refuses %s: the client adds /v1",
    (baseUrl) => {
      expect(refusalOf(baseUrl)).toBe(
        `baseUrl must not end in /v1 (the client adds it), got "${baseUrl}"`,
      );
    },
  );

  it.each([
    [5, "5"],
    [true, "true"],
    [{ toString: () => "https://ads.test" }, "an object"],
    [["https://ads.test"], "an array"],
    [() => "https://ads.test", "a function"],
  ])("refuses %s, which is neither text nor a URL", (baseUrl, kind) => {
    expect(refusalOf(baseUrl as unknown as string)).toBe(
      `baseUrl must be text or a URL, got ${kind}`,
    );
  });

  it("stays bounded in its refusal", () => {
    expect(refusalOf(`ftp://${"a".repeat(100_000)}`).length).toBeLessThan(200);
  });

  it("costs no time by many slashes", async () => {
    const baseUrl = `https://ads.test/${"/".repeat(100_000)}x`;

    expect(await processorMsOf(() => createClient({ baseUrl, apiKey: "ak-1" }))).toBeLessThan(500);
  });

  it.each([undefined, "", null])("is missing when it is %j", (baseUrl) => {
    vi.stubEnv("ADGEN_BASE_URL", undefined);

    expect(refusalOf(baseUrl as string)).toBe(
      "baseUrl is missing: pass it to createClient, or set ADGEN_BASE_URL",
    );
  });
});
