import { afterEach, describe, expect, it, vi } from "vitest";
import { createClient } from "../../src/index.ts";
import { success } from "../helpers/answers.ts";
import { clientOf } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

/** Where a request goes. */
const target = async (baseUrl: string | URL): Promise<string> => {
  const urls: string[] = [];
  const fetch = async ({ url }: Request): Promise<Response> => {
    urls.push(url);
    return Response.json({ success: true, data: [], error: null });
  };
  await createClient({ baseUrl, apiKey: "ak-1", fetch }).jobs.list();
  return urls.join();
};

afterEach(() => vi.unstubAllGlobals());

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
    "https://ads.test/?key=1",
    "https://ads.test/#top",
    "https://user:secret@ads.test",
    "https://secret@ads.test",
    "ftp://ads.test",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:text/plain,a",
    "blob:https://ads.test/1",
    "ws://ads.test",
    "ads.test",
    "ads.test:8080",
    "/api",
    "https://",
    "https://ads test",
    "not a URL",
  ])("refuses %s, without quoting it", (baseUrl) => {
    const create = () => createClient({ baseUrl, apiKey: "ak-1" });

    expect(create).toThrow(expect.objectContaining({ name: "ConfigError", code: "config" }));
    expect(create).toThrow(/^baseUrl .*must be a plain http\(s\) URL$/);
    expect(create).not.toThrow(/secret/);
  });

  it.each([undefined, "", null])("is missing when it is %j", (baseUrl) => {
    vi.stubEnv("ADGEN_BASE_URL", undefined);

    expect(() => createClient({ baseUrl: baseUrl as string, apiKey: "ak-1" })).toThrow(
      /^baseUrl .*ADGEN_BASE_URL/,
    );
    vi.unstubAllEnvs();
  });
});
