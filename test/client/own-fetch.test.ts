import { Readable } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ConnectionError, markAsNotSent } from "../../src/index.ts";
import { accepted, envelopeText, get, over, submit } from "../helpers/calls.ts";
import { clientOf, rejection, testKey } from "../helpers/client.ts";

afterEach(() => vi.unstubAllGlobals());

const text = envelopeText({ job_id: "job-1", status: "queued" });

/** Submits through a `fetch` that gives this, and gives the error. */
const submitFailing = (give: () => unknown, maxResponseBytes?: number) =>
  rejection(submit(over(async () => give(), { maxResponseBytes })));

const headers = new Headers({ "content-type": "application/json" });
const streamOf = (chunk: unknown) =>
  new ReadableStream({
    start: (controller) => {
      controller.enqueue(chunk);
      controller.close();
    },
  });
const readerOf = (value: unknown) => ({
  getReader: () => ({ read: async () => ({ done: false, value }) }),
});
const respondWith = (body: unknown) => ({ status: 202, headers, body, text: async () => text });

describe("an unusual answer of a fetch", () => {
  it.each<[string, () => unknown]>([
    ["a Node stream of an old kind for a body", () => respondWith({ pipe: () => {} })],
    ["no body at all", () => respondWith(undefined)],
    ["a body of null", () => respondWith(null)],
    ["a Node stream, as in node-fetch 3", () => respondWith(Readable.from([Buffer.from(text)]))],
    ["a stream of texts", () => new Response(streamOf(text), { status: 202 })],
    [
      "a Node stream in place of its body",
      () => {
        const response = new Response(text, { status: 202 });
        const value = Readable.fromWeb(response.body as never);
        return Object.defineProperty(response, "body", { value });
      },
    ],
    [
      "a clone that was read before",
      async () => {
        const response = accepted();
        await response.clone().json();
        return response;
      },
    ],
  ])("is read: %s", async (_, give) => {
    expect(await submit(over(async () => give()))).toEqual({ job_id: "job-1", status: "queued" });
  });

  it("is read as far as it may be where a Node stream has no end", async () => {
    const endless = new Readable({ read: () => void endless.push(Buffer.alloc(1_000, "x")) });
    const error = await submitFailing(() => respondWith(endless), 5_000);
    expect(error).toMatchObject({ code: "decode", reason: "too-large", outcome: "unknown" });
    expect(endless.destroyed).toBe(true);
  });

  it.each<[string, unknown]>([
    ["a reader without cancel", readerOf(new Uint8Array(10))],
    ["a text, in bytes", undefined],
  ])("has its bytes counted: %s", async (_, body) => {
    const response = { ...respondWith(body), text: async () => "ü".repeat(4) };
    const error = await submitFailing(() => response, 7);
    expect(error).toMatchObject({ code: "decode", reason: "too-large", outcome: "unknown" });
  });

  it.each<[unknown, string]>([
    [7, "your fetch's body gave a number, not bytes"],
    [{}, "your fetch's body gave an object, not bytes"],
    [null, "your fetch's body gave null, not bytes"],
    [undefined, "your fetch gave a Response without a stream and without text()"],
  ])("cannot be read: %j", async (chunk, problem) => {
    const body = chunk === undefined ? undefined : readerOf(chunk);
    const error = await submitFailing(() => ({ status: 202, headers, body }));
    expect(error).toMatchObject({ code: "connection", outcome: "unknown", status: 202 });
    expect(error.message).toContain(`POST /v1/jobs could not be read: ${problem};`);
  });
});

describe("an error of a fetch", () => {
  const trap = () => {
    throw Object.create(null);
  };
  const loop = new Error("loop");
  loop.cause = loop;
  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["an object without a text", Object.create(null)],
    ["an object that cannot be looked at", new Proxy({}, { get: trap })],
    ["a message that cannot be text", { message: { toString: trap } }],
    ["a code without a prototype", { code: Object.create(null) }],
    ["a getter that throws", Object.defineProperty(new Error("no"), "code", { get: trap })],
    ["itself as its cause", loop],
    ["a function", Object.assign(() => {}, { toString: trap })],
    ["a typed one", new ConnectionError("connection", "no", { outcome: "not-sent" })],
    ["the key", new Error(`Bearer ${testKey} was refused`)],
    // Another try may have been made since.
    ["a mark at its cause", new Error("all failed", { cause: markAsNotSent(new Error("no")) })],
  ])("is one of the client's, and proves nothing: %s", async (_, thrown) => {
    let calls = 0;
    const refuse = async () => {
      calls++;
      throw thrown;
    };

    const own = await rejection(submit(over(refuse)));
    vi.stubGlobal("fetch", refuse);
    const global = await rejection(submit(clientOf({ url: "http://ads.test" })));

    for (const error of [own, global]) {
      expect(Object.is(error, thrown)).toBe(false);
      expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
      expect(error.cause).toBeInstanceOf(Error);
      expect(`${error.stack}${(error.cause as Error).stack}`).not.toContain(testKey);
    }
    expect(calls).toBe(2);
  });
});

describe("a fetch that ignores the signal", () => {
  it("holds no call up by its body, which is then cancelled", async () => {
    const cancel = vi.fn();
    const client = over(async () => new Response(new ReadableStream({ cancel })), {
      timeoutMs: 60,
    });

    const error = await rejection(client.jobs.get("j", { maxRetries: 0 }));

    expect(error).toMatchObject({ code: "timeout", status: 200 });
    expect(cancel).toHaveBeenCalledTimes(1);
  });

  it("has its late answer cancelled, and nobody hears of it", async () => {
    const cancelled = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    const onResponse = vi.fn();
    const client = over(
      async () => {
        await late.promise;
        return new Response(new ReadableStream({ cancel: () => cancelled.resolve() }));
      },
      { timeoutMs: 40, maxRetries: 0, hooks: { onResponse } },
    );

    const error = await rejection(get(client));

    expect(error).toMatchObject({ code: "timeout" });
    expect(error.status).toBeUndefined();
    late.resolve();
    await cancelled.promise;
    expect(onResponse).not.toHaveBeenCalled();
  });
});
