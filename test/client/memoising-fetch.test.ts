import { afterEach, describe, expect, it, vi } from "vitest";
import { pollJob } from "../../src/index.ts";
import { failure, success } from "../helpers/answers.ts";
import { clientOf } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

const realFetch = globalThis.fetch;

/**
 * A `fetch` that memoises GETs as React and Next.js do within a render, by URL and headers. A
 * request with a signal in its init is left alone; the signal of a `Request` is not looked at.
 */
const memoise = () => {
  const memory = new Map<string, Promise<Response>>();
  return (resource: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    if (init?.signal) return realFetch(resource, init);
    const request = resource instanceof Request ? resource : new Request(resource, init);
    if (!["GET", "HEAD"].includes(request.method) || request.keepalive) {
      return realFetch(resource, init);
    }
    const key = JSON.stringify([request.method, request.url, ...request.headers]);
    const known = memory.get(key) ?? realFetch(resource, init);
    memory.set(key, known);
    return known.then((response) => response.clone());
  };
};

afterEach(() => vi.unstubAllGlobals());

const processing = success({ status: "processing" });
const completed = success({ status: "completed", result: 1 });
const options = { intervalMs: 5, timeoutMs: 1_000 };

describe("under a global fetch that memoises", () => {
  it("a wait sees the job move", async () => {
    const server = await listen(processing, processing, processing, completed);
    vi.stubGlobal("fetch", memoise());
    const seen: string[] = [];
    const onUpdate = ({ status }: { status: string }) => seen.push(status);

    const job = await pollJob(clientOf(server), "j", { ...options, onUpdate });

    expect(job.status).toBe("completed");
    expect(seen).toEqual(["processing", "processing", "processing", "completed"]);
    expect(server.received).toHaveLength(4);
  });

  it("a wait with a signal of the caller's sees it too", async () => {
    const server = await listen(processing, completed);
    vi.stubGlobal("fetch", memoise());
    const { signal } = new AbortController();

    const job = await pollJob(clientOf(server), "j", { ...options, signal });

    expect(job.status).toBe("completed");
  });

  it("a read that is made again gets a new answer", async () => {
    const server = await listen(failure(503, "busy", { "retry-after": "0" }), processing);
    vi.stubGlobal("fetch", memoise());

    expect(await clientOf(server).jobs.get("j")).toMatchObject({ status: "processing" });
    expect(server.received).toHaveLength(2);
  });

  it("the stand-in answers a Request from memory, as Next.js does", async () => {
    const server = await listen(processing, completed);
    const fetch = memoise();

    const first = await (await fetch(new Request(server.url))).text();
    const second = await (await fetch(new Request(server.url))).text();

    expect(second).toBe(first);
    expect(server.received).toHaveLength(1);
  });
});
