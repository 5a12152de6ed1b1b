import { describe, expect, it, vi } from "vitest";
import type { ListQuery } from "../../src/index.ts";
import { queued, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

describe("a request", () => {
  it("sends its content type and the types that it accepts", async () => {
    const server = await listen(queued(), success([]));
    const { jobs } = clientOf(server);

    await jobs.submit(paidJob);
    await jobs.list();

    const [submission, list] = server.received;
    expect(submission?.headers).toMatchObject({
      accept: "application/json",
      "content-type": "application/json",
      "content-length": String(JSON.stringify(paidJob).length),
    });
    expect(list?.headers).toMatchObject({ accept: "application/json" });
    expect(list?.headers).not.toHaveProperty("content-type");
    expect(list?.body).toBe("");
  });

  it("uses a connection again", async () => {
    const server = await listen(success({ status: "queued" }));
    const { jobs } = clientOf(server);

    for (let n = 0; n < 10; n++) await jobs.get("j");

    // The second is made when the first has not yet been handed back.
    expect(server.sockets.size).toBeLessThanOrEqual(2);
  });

  it("goes through the fetch that is given, or the global one of the time of the call", async () => {
    const { fetch } = globalThis;
    const urls: string[] = [];
    const noting = (via: string) => async (input: Request | string, init?: RequestInit) => {
      const { method, url } = new Request(input, init);
      urls.push(`${via} ${method} ${url}`);
      return Response.json({ success: true, data: { jobs: [] }, error: null });
    };
    const own = clientOf({ url: "http://ads.test" }, { fetch: noting("own") });
    const global = clientOf({ url: "http://ads.test" });

    globalThis.fetch = noting("global") as typeof fetch;
    try {
      await own.jobs.list();
      await global.jobs.list();
    } finally {
      globalThis.fetch = fetch;
    }

    expect(urls).toEqual(["own GET http://ads.test/v1/jobs", "global GET http://ads.test/v1/jobs"]);
  });
});

describe("headers", () => {
  it("of the client and of the call are added, the call's first", async () => {
    const server = await listen(queued());
    const client = clientOf(server, { headers: { "X-App": "1", "x-both": "client" } });

    await client.jobs.submit(paidJob, { headers: { "X-Call": "2", "X-Both": "call" } });
    await client.jobs.submit(paidJob);

    expect(server.received.map(({ headers }) => headers)).toMatchObject([
      { "x-app": "1", "x-call": "2", "x-both": "call" },
      { "x-app": "1", "x-both": "client" },
    ]);
    expect(server.received[1]?.headers).not.toHaveProperty("x-call");
  });

  it("cannot take the place of the library's own", async () => {
    const server = await listen(queued());
    const headers = { Accept: "text/html", "Content-Type": "text/plain" };

    await clientOf(server, { headers }).jobs.submit(paidJob, { headers });

    expect(server.received[0]?.headers).toMatchObject({
      accept: "application/json",
      "content-type": "application/json",
      authorization: expect.stringMatching(/^Bearer /),
    });
  });
});

describe("a query", () => {
  const queries: [ListQuery | undefined, string][] = [
    [undefined, ""],
    [{}, ""],
    [{ limit: 5 }, "?limit=5"],
    [{ limit: 0, after: "", archived: false }, "?limit=0&after=&archived=false"],
    [{ limit: undefined, cursor: "a b&c=d/ü" }, "?cursor=a+b%26c%3Dd%2F%C3%BC"],
    [{ "a[b]": "x", "#": "?" }, "?a%5Bb%5D=x&%23=%3F"],
  ];

  it.each(queries)("%j is sent as %j", async (query, text) => {
    const server = await listen(success([]));
    const { jobs, brands } = clientOf(server);

    await jobs.list(query);
    await brands.list(query && { query });
    await brands.listAds("b", query && { query });

    expect(server.received.map(({ url }) => url)).toEqual([
      `/v1/jobs${text}`,
      `/v1/brands${text}`,
      `/v1/brands/b/ads${text}`,
    ]);
  });

  it.each(queries)("%j is sent as %j where URLSearchParams has no size", async (query, text) => {
    const server = await listen(success([]));
    const withoutSize = class extends URLSearchParams {
      override get size(): number {
        return undefined as unknown as number;
      }
    };
    vi.stubGlobal("URLSearchParams", withoutSize);

    await clientOf(server).jobs.list(query);
    vi.unstubAllGlobals();

    expect(server.received[0]?.url).toBe(`/v1/jobs${text}`);
  });

  it.each([Number.NaN, null, {}, [], () => 1, 1n, Symbol("s")])("refuses %s", async (value) => {
    const server = await listen(success([]));
    const query = { limit: value } as unknown as ListQuery;
    const { jobs, brands } = clientOf(server);

    for (const call of [() => jobs.list(query), () => brands.list({ query })]) {
      expect(await rejection(call())).toMatchObject({
        code: "invalid_request",
        message: expect.stringMatching(/^query\.limit /),
      });
    }
    expect(server.sockets.size).toBe(0);
  });

  it("is not part of the path that errors and hooks tell", async () => {
    const server = await listen(success("none"));

    const error = await rejection(clientOf(server).jobs.list({ cursor: "S3cr3t" }));

    expect(error.path).toBe("/v1/jobs");
    expect(JSON.stringify(error)).not.toContain("S3cr3t");
  });
});
