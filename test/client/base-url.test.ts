import { afterEach, describe, expect, it, vi } from "vitest";
import { createClient, pollJob } from "../../src/index.ts";
import { list, refusalOf, respond, submit } from "../helpers/calls.ts";
import { clientOf, rejection } from "../helpers/client.ts";
import { processorMsOf } from "../helpers/processor-time.ts";

afterEach(() => vi.unstubAllGlobals());

const page = { href: "https://shop.test/admin/ads.html" };

/** Gives the URLs that requests go to, through the global `fetch`. */
const noteTargets = (): string[] => {
  const urls: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    urls.push(url);
    return respond([]);
  });
  return urls;
};

/** Texts that are no base URL, by their problem. */
const refused: [problem: string, texts: string[]][] = [
  [
    "must not have a query or a fragment (what follows ? or #)",
    ["https://ads.test/?key=1", "https://ads.test/#top"],
  ],
  [
    "must not hold a user name or a password (use apiKey)",
    ["https://user:secret@ads.test", "https://secret@ads.test"],
  ],
  [
    "must begin with http:// or https://",
    [
      ...["https://user:secret@ads test", "user:secret@ads.test", "ftp://user:secret@ads.test"],
      ...["ftp://ads.test", "file:///etc/passwd", "javascript:alert(1)", "data:text/plain,a"],
      ...["blob:https://ads.test/1", "ws://ads.test", "ads.test", "ads.test:8080", "api"],
      ...["https://", "https://ads test", "not a URL", "//ads.test/adgen", "//ads.test"],
      ...["/\\ads.test", "/\t/ads.test", "///ads.test"],
    ],
  ],
  [
    "must not end in /v1 (the client adds it)",
    ["https://ads.test/v1", "https://ads.test/api/v1/", "https://ads.test/v1//"],
  ],
];

describe("the base URL", () => {
  it.each<[baseUrl: string | URL, url: string, isInPage?: true]>([
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
    ["/api", "https://shop.test/api/v1/jobs", true],
    ["./api", "https://shop.test/admin/api/v1/jobs", true],
    ["../api/", "https://shop.test/api/v1/jobs", true],
    ["./adgen//", "https://shop.test/admin/adgen/v1/jobs", true],
    ["/adgen//x", "https://shop.test/adgen//x/v1/jobs", true],
  ])("%s leads to %s, by the caller's fetch too", async (baseUrl, url, isInPage) => {
    if (isInPage) vi.stubGlobal("location", page);
    const urls = noteTargets();
    const fetch = (request: Request) => globalThis.fetch(request.url);

    await createClient({ baseUrl, apiKey: null }).jobs.list();
    await createClient({ baseUrl, apiKey: null, fetch }).jobs.list();

    expect(urls).toEqual([url, url]);
  });

  it.each(refused)("%s, or is refused, in a page too", (problem, texts) => {
    for (const baseUrl of texts) {
      // An address that may hold a secret is not quoted.
      const got = /[@?#]/.test(baseUrl)
        ? ""
        : `, got ${JSON.stringify(baseUrl.replace("\t", " "))}`;
      for (const location of [undefined, page]) {
        vi.stubGlobal("location", location);
        expect(refusalOf({ baseUrl, apiKey: null })).toBe(`baseUrl ${problem}${got}`);
      }
    }
  });

  it.each<[unknown, string]>([
    [5, "5"],
    [true, "true"],
    [{ toString: () => "https://ads.test" }, "an object"],
    [["https://ads.test"], "an array"],
    [() => "https://ads.test", "a function"],
  ])("must be text or a URL: %s", (baseUrl, shown) => {
    expect(refusalOf({ baseUrl })).toBe(`baseUrl must be text or a URL, got ${shown}`);
  });

  it("of 100,000 signs costs no time, and is cut in its refusal", async () => {
    const baseUrl = `https://ads.test/${"/".repeat(100_000)}x`;
    const create = () => createClient({ baseUrl, apiKey: null });
    expect(await processorMsOf(create)).toBeLessThan(500);
    expect(refusalOf({ baseUrl: `ftp${baseUrl}` }).length).toBeLessThan(200);
  });

  it.each(["/", "/adgen", "./adgen", "../adgen", "./adgen//", "/adgen//x"])(
    "may be relative where there is no page, and is refused by the first call: %s",
    async (url) => {
      const urls = noteTargets();
      const client = clientOf({ url }, { apiKey: null });
      const message =
        `baseUrl "${url}" is relative, and there is no page here to complete it: ` +
        "call it in a browser, or give the whole address";

      const read = await rejection(list(client));
      const write = await rejection(submit(client));
      const wait = await rejection(pollJob(client, "j"));

      for (const error of [read, write, wait]) {
        expect(error).toMatchObject({ code: "config", message });
      }
      expect([read.outcome, write.outcome]).toEqual([undefined, "not-sent"]);
      expect(wait.jobId).toBe("j");
      expect(wait.elapsedMs).toBeLessThan(20_000);
      expect(urls).toEqual([]);
    },
  );
});
