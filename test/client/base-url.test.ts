import { afterEach, describe, expect, it, vi } from "vitest";
import { createClient, pollJob } from "../../src/index.ts";
import { list, refusalOf, respond, submit } from "../helpers/calls.ts";
import { clientOf, rejection } from "../helpers/client.ts";
import { processorMsOf } from "../helpers/processor-time.ts";

afterEach(() => vi.unstubAllGlobals());

const page = { href: "https://shop.test/admin/ads.html" };
const apiKey = "ak-1";

/** Gives the URLs that requests go to, through the global `fetch`. */
const noteTargets = (): string[] => {
  const urls: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    urls.push(url);
    return respond([]);
  });
  return urls;
};

describe("the base URL", () => {
  it.each<[string | URL, string]>([
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
  ])("%s leads to %s, by the caller's fetch too", async (baseUrl, url) => {
    const urls = noteTargets();
    const fetch = async (request: Request) => {
      urls.push(request.url);
      return respond([]);
    };

    await createClient({ baseUrl, apiKey }).jobs.list();
    await createClient({ baseUrl, apiKey, fetch }).jobs.list();

    expect(urls).toEqual([url, url]);
  });

  const noQuery = "must not have a query or a fragment (what follows ? or #)";
  const noUser = "must not hold a user name or a password (use apiKey)";
  const noHttp = "must begin with http:// or https://";
  const noVersion = "must not end in /v1 (the client adds it)";
  const noText = "must be text or a URL, got";
  it.each<[unknown, string]>([
    // An address that may hold credentials is not quoted.
    ["https://ads.test/?key=1", noQuery],
    ["https://ads.test/#top", noQuery],
    ["https://user:secret@ads.test", noUser],
    ["https://secret@ads.test", noUser],
    ["https://user:secret@ads test", noHttp],
    ["user:secret@ads.test", noHttp],
    ["ftp://user:secret@ads.test", noHttp],
    ...[
      ...["ftp://ads.test", "file:///etc/passwd", "javascript:alert(1)", "data:text/plain,a"],
      ...["blob:https://ads.test/1", "ws://ads.test", "ads.test", "ads.test:8080", "api"],
      ...["https://", "https://ads test", "not a URL", "//ads.test/adgen", "//ads.test"],
      ...["/\\ads.test", "/\t/ads.test", "///ads.test"],
    ].map((url): [string, string] => [
      url,
      `${noHttp}, got ${JSON.stringify(url.replace("\t", " "))}`,
    ]),
    ...["https://ads.test/v1", "https://ads.test/api/v1/", "https://ads.test/v1//"].map(
      (url): [string, string] => [url, `${noVersion}, got "${url}"`],
    ),
    [5, `${noText} 5`],
    [true, `${noText} true`],
    [{ toString: () => "https://ads.test" }, `${noText} an object`],
    [["https://ads.test"], `${noText} an array`],
    [() => "https://ads.test", `${noText} a function`],
  ])("is refused, in a page too: %s", (baseUrl, problem) => {
    for (const location of [undefined, page]) {
      vi.stubGlobal("location", location);
      expect(refusalOf({ baseUrl, apiKey })).toBe(`baseUrl ${problem}`);
    }
  });

  it("stays bounded in its refusal", () => {
    expect(refusalOf({ baseUrl: `ftp://${"a".repeat(100_000)}`, apiKey }).length).toBeLessThan(200);
  });

  it("costs no time by many slashes", async () => {
    const baseUrl = `https://ads.test/${"/".repeat(100_000)}x`;
    expect(await processorMsOf(() => createClient({ baseUrl, apiKey }))).toBeLessThan(500);
  });
});

describe("a relative base URL", () => {
  it.each(["/", "/adgen", "./adgen", "../adgen"])(
    "is taken where there is no page, and refused by the first call: %s",
    async (url) => {
      const urls = noteTargets();
      const client = clientOf({ url }, { apiKey: null });
      const refusal = {
        code: "config",
        message:
          `baseUrl "${url}" is relative, and there is no page here to complete it: ` +
          "call it in a browser, or give the whole address",
      };

      const read = await rejection(list(client));
      const wait = await rejection(pollJob(client, "j"));

      expect(read).toMatchObject(refusal);
      expect(read.outcome).toBeUndefined();
      expect(await rejection(submit(client))).toMatchObject({ ...refusal, outcome: "not-sent" });
      expect(wait).toMatchObject({ ...refusal, jobId: "j" });
      expect(wait.elapsedMs).toBeLessThan(20_000);
      expect(urls).toEqual([]);
    },
  );

  it.each([
    ["/api", "https://shop.test/api/v1/jobs"],
    ["./api", "https://shop.test/admin/api/v1/jobs"],
    ["../api/", "https://shop.test/api/v1/jobs"],
  ])("is completed by a page: %s leads to %s", async (url, target) => {
    vi.stubGlobal("location", page);
    const urls = noteTargets();
    await list(clientOf({ url }, { apiKey: null }));
    expect(urls).toEqual([target]);
  });

  it.each(["./adgen//", "/adgen//x"])(
    "may have two slashes behind its first part: %s",
    (baseUrl) => {
      for (const location of [page, undefined]) {
        vi.stubGlobal("location", location);
        expect(() => createClient({ baseUrl, apiKey })).not.toThrow();
      }
    },
  );
});
