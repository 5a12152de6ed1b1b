import { afterEach, describe, expect, it, vi } from "vitest";
import type { CallOptions, ClientOptions, ListQuery } from "../../src/index.ts";
import { queued, success } from "../helpers/answers.ts";
import { failing, get, refusalOf, refusing } from "../helpers/calls.ts";
import { clientOf, paidJob, testKey } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

afterEach(() => vi.unstubAllGlobals());

describe("a request", () => {
  it("sends its content type, its length and the types that it accepts", async () => {
    const server = await listen(queued(), success([]));
    const { jobs } = clientOf(server);
    const prompt = "Größe \u{1f600}".repeat(1_000);

    await jobs.submit({ ...paidJob, prompt });
    await jobs.list();

    const [submission, read] = server.received;
    const body = JSON.stringify({ ...paidJob, prompt });
    expect(submission).toMatchObject({
      body,
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(body)),
      },
    });
    expect(submission?.headers).not.toHaveProperty("transfer-encoding");
    expect(read).toMatchObject({ body: "", headers: { accept: "application/json" } });
    expect(read?.headers).not.toHaveProperty("content-type");
  });

  it("uses a connection again", async () => {
    const server = await listen(success({ status: "queued" }));
    const client = clientOf(server);
    for (let n = 0; n < 10; n++) await get(client);
    // The second is made when the first has not yet been handed back.
    expect(server.sockets.size).toBeLessThanOrEqual(2);
  });
});

const cannotBeSent = "cannot be sent: its name or value has a character HTTP forbids";
const cannotBeSet = "cannot be set: the runtime sets the connection's headers";

const refused: [headers: Record<string, unknown>, message: string][] = [
  [{ AUTHORIZATION: "S3cr3t" }, "headers must not hold Authorization: use apiKey"],
  [{ "x team": "S3cr3t" }, `headers "x team" ${cannotBeSent}`],
  [{ "": "S3cr3t" }, `headers "" ${cannotBeSent}`],
  [{ "x-a": "S3cr3t\r\nx-b: 1" }, `headers "x-a" ${cannotBeSent}`],
  [{ "x-a": "S3cr3t\u2013" }, `headers "x-a" ${cannotBeSent}`],
  [{ "x-a": null }, 'headers "x-a" must be text, got null'],
  [{ "x-a": 5 }, 'headers "x-a" must be text, got a number'],
  [{ "x-a": ["S3cr3t"] }, 'headers "x-a" must be text, got an array'],
  ...[
    ...["connection", "content-length", "expect", "keep-alive", "te", "trailer"],
    ...["transfer-encoding", "upgrade", "Upgrade", "TE"],
  ].map((name): (typeof refused)[0] => [{ [name]: "h2c" }, `headers "${name}" ${cannotBeSet}`]),
];

describe("a header", () => {
  it.each(refused)(
    "is refused by name, by the client and by a call: %j",
    async (headers, message) => {
      const options = { headers } as CallOptions;
      const write = await refusing(({ jobs }) => jobs.submit(paidJob, options));
      const read = await refusing(({ jobs }) => jobs.get("j", options));

      expect(refusalOf({ baseUrl: "http://ads.test", apiKey: testKey, headers })).toBe(message);
      expect(write).toMatchObject({ code: "invalid_request", outcome: "not-sent", message });
      expect(read).toMatchObject({ code: "invalid_request", message });
      expect(read.outcome).toBeUndefined();
    },
  );

  const none = undefined;
  const ofHeaders = new Headers({ "x-a": "1" }) as unknown as ClientOptions["headers"];
  const foreign = { Accept: "text/html", "Content-Type": "text/plain" };
  const own = { accept: "application/json", "content-type": "application/json" };
  it.each<[string, ClientOptions["headers"], CallOptions["headers"], object]>([
    ["of client and call is sent", { "X-A": "1" }, { "X-B": "2" }, { "x-a": "1", "x-b": "2" }],
    ["of the call replaces the client's", { "X-A": "1" }, { "x-a": "2" }, { "x-a": "2" }],
    ["that is undefined is left out", { "x-a": none, "x-b": "1" }, { "x-c": none }, { "x-b": "1" }],
    ["that is undefined replaces none", { "x-a": "1" }, { "X-A": none }, { "x-a": "1" }],
    ["of a Headers object is sent", ofHeaders, none, { "x-a": "1" }],
    ["does not take the place of the library's own", foreign, foreign, own],
  ])("%s", async (_, headers, ofCall, sent) => {
    const server = await listen(queued());
    const client = clientOf(server, { headers });

    await client.jobs.submit(paidJob, { headers: ofCall });
    await client.jobs.submit(paidJob);

    const [first = {}, second] = server.received.map((request) => request.headers);
    expect(first).toMatchObject({ ...sent, authorization: `Bearer ${testKey}` });
    const names = Object.keys(first).filter((name) => name.startsWith("x-"));
    expect(names.sort()).toEqual(Object.keys(sent).filter((name) => name.startsWith("x-")));
    // The headers of a call are its own.
    expect(JSON.stringify(second)).not.toMatch(/"x-[ab]":"2"/);
  });
});

describe("a query", () => {
  it.each<[ListQuery | undefined, string]>([
    [undefined, ""],
    [{}, ""],
    [{ limit: 5 }, "?limit=5"],
    [{ limit: 0, after: "", archived: false }, "?limit=0&after=&archived=false"],
    [{ limit: undefined, cursor: "a b&c=d/ü" }, "?cursor=a+b%26c%3Dd%2F%C3%BC"],
    [{ "a[b]": "x", "#": "?" }, "?a%5Bb%5D=x&%23=%3F"],
  ])("%j is sent as %j, also where URLSearchParams has no size", async (query, text) => {
    const server = await listen(success([]));
    const { jobs, brands } = clientOf(server);
    const withoutSize = class extends URLSearchParams {
      override get size(): number {
        return undefined as unknown as number;
      }
    };

    await jobs.list(query);
    await brands.list(query && { query });
    await brands.listAds("b", query && { query });
    vi.stubGlobal("URLSearchParams", withoutSize);
    await jobs.list(query);

    const paths = ["/v1/jobs", "/v1/brands", "/v1/brands/b/ads", "/v1/jobs"];
    expect(server.received.map(({ url }) => url)).toEqual(paths.map((path) => path + text));
  });

  it("is not part of the path that errors and hooks tell", async () => {
    const events: unknown[] = [];
    const hooks = { onRequest: (event: unknown) => void events.push(event) };

    const { error } = await failing(
      success("none"),
      ({ jobs }) => jobs.list({ cursor: "S3cr3t" }),
      { hooks },
    );

    expect(error.path).toBe("/v1/jobs");
    expect(events).toEqual([{ method: "GET", path: "/v1/jobs", attempt: 1 }]);
    expect(JSON.stringify(error)).not.toContain("S3cr3t");
  });
});
