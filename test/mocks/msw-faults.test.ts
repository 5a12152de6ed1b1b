import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createInterceptedDelivery } from "../../mocks/faces/msw/deliver.ts";
import type { Delivery, MockReply } from "../../mocks/http/reply.ts";
import { createMockService } from "../../mocks/index.ts";
import { createHandlers } from "../../mocks/msw.ts";

const body = JSON.stringify({ success: true, data: { jobs: ["Zitrone 🍋"] }, error: null });
const size = new TextEncoder().encode(body).length;

const reply: MockReply = {
  status: 200,
  headers: { "content-type": "application/json", connection: "close" },
  body,
  delayMs: 0,
  delivery: { how: "whole" },
  operation: "jobs.list",
  account: undefined,
  hint: undefined,
  fault: undefined,
  delivered: () => {},
};

/** The reply of the moment. */
let next = reply;

const deliver = (delivery: Delivery): void => {
  next = { ...reply, delivery };
};

/** MSW alone makes the answers: no engine stands behind these handlers. */
const server = setupServer(...createHandlers({ baseUrl: undefined, reply: async () => next }));

const printed = vi.spyOn(console, "error");
const uncaught: unknown[] = [];
const note = (error: unknown): void => {
  uncaught.push(error);
};

beforeAll(() => {
  server.listen({ onUnhandledFrame: "error" });
  process.on("uncaughtException", note);
  process.on("unhandledRejection", note);
});
afterEach(async () => {
  vi.useRealTimers();
  server.resetHandlers();
  next = reply;
  // What breaks late breaks in these turns.
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  expect(uncaught).toEqual([]);
  expect(printed).not.toHaveBeenCalled();
});
afterAll(() => {
  server.close();
  process.off("uncaughtException", note);
  process.off("unhandledRejection", note);
});

interface Seen {
  readonly status?: number | undefined;
  readonly text?: string;
  readonly error?: unknown;
}

/** One way to send a request; `giveUp` takes it back. */
type Send = (origin: string, giveUp?: AbortSignal) => Promise<Seen>;

const viaFetch: Send = async (origin, giveUp) => {
  let status: number | undefined;
  try {
    const answer = await fetch(`${origin}/v1/jobs`, { signal: giveUp ?? null });
    status = answer.status;
    return { status, text: await answer.text() };
  } catch (error) {
    return { status, error };
  }
};

const viaHttp: Send = async (origin, giveUp) => {
  let status: number | undefined;
  try {
    const agent = new http.Agent({ keepAlive: true });
    const request = http.get(`${origin}/v1/jobs`, { agent, ...(giveUp && { signal: giveUp }) });
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    request.on("error", () => {}); // An abort reaches the request, too.
    status = answer.statusCode;
    const pieces = await answer.setEncoding("utf8").toArray();
    return { status, text: pieces.join("") };
  } catch (error) {
    return { status, error };
  }
};

const abortAfter = (ms: number): AbortSignal => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
};

describe.each<[string, Send, string]>([
  ["fetch, http", viaFetch, "http://ads.test"],
  ["fetch, https", viaFetch, "https://ads.test"],
  ["node:http", viaHttp, "http://ads.test"],
])("the handlers, asked by %s", (_, send, origin) => {
  const isFetch = send === viaFetch;

  /** `fetch` wraps what the socket says, `node:http` passes it on. */
  const socketError = (fields: object) =>
    isFetch ? expect.objectContaining({ name: "TypeError", cause: fields }) : fields;

  const bodyAborted = expect.objectContaining(
    isFetch ? { name: "AbortError" } : { code: "ECONNRESET", message: "aborted" },
  );

  test.each([
    ["reset", "ECONNRESET"],
    ["refuse", "ECONNREFUSED"],
  ] as const)("%s the connection as a socket does: %s", async (how, code) => {
    deliver({ how });
    const error = socketError(expect.objectContaining({ code, message: expect.any(String) }));
    expect(await send(origin)).toEqual({ status: undefined, error });
  });

  test("stall until the client gives up", async () => {
    deliver({ how: "stall" });
    const { status, error } = await send(origin, abortAfter(20));
    expect([status, (error as Error).name]).toEqual([undefined, "AbortError"]);
  });

  test.each([0, 40])("stall the body after %i bytes until the client gives up", async (count) => {
    deliver({ how: "stall-body", afterBytes: count });
    const { status, error } = await send(origin, abortAfter(20));
    expect([status, error]).toEqual([200, bodyAborted]);
  });

  test.each(["stall", "stall-body"] as const)("let go of a %s when they are reset", async (how) => {
    deliver({ how, afterBytes: 40 });
    const pending = send(origin);
    setTimeout(() => server.resetHandlers(), 20);
    expect((await pending).error).toBeInstanceOf(Error);
  });

  test.each([0, 40, size - 1])("cut the body after %i bytes, and it shows", async (count) => {
    deliver({ how: "cut-body", afterBytes: count });
    const { status, error, text } = await send(origin);
    expect([status, text]).toEqual([200, undefined]);
    expect(error).toBeInstanceOf(Error);
  });

  test("drip the body, piece by piece, across characters", async () => {
    deliver({ how: "drip-body", bytes: Math.ceil(size / 3), everyMs: 15 });
    const start = performance.now();
    expect(await send(origin)).toEqual({ status: 200, text: body });
    expect(performance.now() - start).toBeGreaterThan(25);
  });

  test("stop a dripping body when the client gives up", async () => {
    deliver({ how: "drip-body", bytes: 1, everyMs: 10 });
    const { status, error } = await send(origin, abortAfter(30));
    expect([status, error]).toEqual([200, bodyAborted]);
  });

  test("answer late, and give up a late answer with the client", async () => {
    next = { ...reply, delayMs: 30 };
    const start = performance.now();
    expect(await send(origin)).toEqual({ status: 200, text: body });
    expect(performance.now() - start).toBeGreaterThan(28);
    next = { ...reply, delayMs: 5_000 };
    expect(await send(origin, abortAfter(20))).toMatchObject({ error: { name: "AbortError" } });
  });

  test.each([
    [204, ""],
    [429, "<html>"],
    [502, '{"cut'],
  ])("answer %i with %j as it is", async (status, text) => {
    next = { ...reply, status, body: text };
    expect(await send(origin)).toEqual({ status, text });
  });
});

describe("the handlers", () => {
  test("say nothing of an upload that is given up, and carry nothing out", async () => {
    const service = createMockService();
    server.use(...createHandlers(service));
    const body = new ReadableStream({
      start: (upload) => upload.enqueue(new TextEncoder().encode('{"action":')),
    });
    const pending = fetch("https://ads.test/v1/jobs", {
      method: "POST",
      headers: { authorization: "Bearer test-key" },
      body,
      duplex: "half",
      signal: abortAfter(30),
    } as RequestInit);
    await expect(pending).rejects.toMatchObject({ name: "AbortError" });
    expect(service.account("test-key").charges).toEqual([]);
  });

  test.each<Partial<MockReply>>([
    { delayMs: 60_000 },
    { delivery: { how: "stall" } },
    { delivery: { how: "drip-body", bytes: 1, everyMs: 60_000 } },
  ])("keep neither timer nor listener for a request that is given up: %j", async (changed) => {
    vi.useFakeTimers();
    const { deliver } = createInterceptedDelivery();
    const controller = new AbortController();
    const pending = deliver({ ...reply, ...changed }, { signal: controller.signal, url: "" });
    const removed = vi.spyOn(controller.signal, "removeEventListener");
    if (changed.delivery?.how === "drip-body") {
      const reader = (await pending).body?.getReader();
      await reader?.read();
      await reader?.cancel();
    } else {
      controller.abort();
      await pending;
      expect(removed).toHaveBeenCalledWith("abort", expect.any(Function));
    }
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the handlers, under the runner's fake timers", () => {
  test("answer late by the fake time", async () => {
    vi.useFakeTimers();
    next = { ...reply, delayMs: 60_000 };
    const start = Date.now();
    const pending = viaFetch("https://ads.test");
    while (vi.getTimerCount() === 0) await new Promise((next) => process.nextTick(next));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await pending).toEqual({ status: 200, text: body });
    expect(Date.now() - start).toBe(60_000);
  });

  test("cut a body, and drip one", async () => {
    vi.useFakeTimers().setTimerTickMode("nextTimerAsync");
    deliver({ how: "cut-body", afterBytes: 40 });
    expect(await viaFetch("https://ads.test")).toMatchObject({ status: 200, error: {} });
    deliver({ how: "drip-body", bytes: 1, everyMs: 10_000 });
    expect(await viaFetch("https://ads.test")).toEqual({ status: 200, text: body });
  });
});
