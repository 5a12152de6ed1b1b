import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createMockService, type MockFault } from "../../mocks/index.ts";
import { createInterceptedDelivery } from "../../mocks/msw/deliver.ts";
import { createHandlers } from "../../mocks/msw/index.ts";
import { expectNoTimers } from "../helpers/faked-time.ts";
import { createAsk } from "./ask.ts";

const headers = { authorization: "Bearer test-key" };
const service = createMockService();
const ask = createAsk(service);
await ask("POST", "/v1/brands", { name: "Zitrone 🍋" });
const { text } = await ask("GET", "/v1/brands");
const size = new TextEncoder().encode(text).length;

const server = setupServer(...createHandlers(service));
const printed = vi.spyOn(console, "error");

beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
afterEach(async () => {
  vi.useRealTimers();
  server.resetHandlers();
  service.faults.clear();
  // Wait for errors that come late: they would fail the run.
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  expect(printed).not.toHaveBeenCalled();
});
afterAll(() => server.close());

interface Seen {
  readonly status?: number | undefined;
  readonly text?: string;
  readonly error?: unknown;
}

/** Sends a request, which the signal aborts. */
type Send = (origin: string, signal?: AbortSignal) => Promise<Seen>;

const viaFetch: Send = async (origin, signal) => {
  let status: number | undefined;
  try {
    const answer = await fetch(`${origin}/v1/brands`, { headers, signal: signal ?? null });
    status = answer.status;
    return { status, text: await answer.text() };
  } catch (error) {
    return { status, error };
  }
};

const viaHttp: Send = async (origin, signal) => {
  let status: number | undefined;
  try {
    const agent = new http.Agent({ keepAlive: true });
    const options = { agent, headers, ...(signal && { signal }) };
    const request = http.get(`${origin}/v1/brands`, options);
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    request.on("error", () => {}); // An abort also reaches the request.
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

/** Schedules an answer with this status and text. */
const say = (status: number, body: string): [fault: MockFault, seen: Seen] => [
  { kind: "status", status, body },
  { status, text: body },
];

describe.each<[string, Send, string]>([
  ["fetch, http", viaFetch, "http://ads.test"],
  ["fetch, https", viaFetch, "https://ads.test"],
  ["node:http", viaHttp, "http://ads.test"],
])("the handlers, asked by %s", (client, send, origin) => {
  const isFetch = send === viaFetch;

  /** `fetch` wraps the socket's error, `node:http` passes it on. */
  const broken = (code: string): Seen => {
    const error = expect.objectContaining({ code, message: expect.any(String) });
    const wrapped = expect.objectContaining({ name: "TypeError", cause: error });
    return { status: undefined, error: isFetch ? wrapped : error };
  };
  const bodyAborted = isFetch ? { name: "AbortError" } : { code: "ECONNRESET", message: "aborted" };
  const left = { status: 200, error: expect.objectContaining(bodyAborted) };
  const unanswered = { status: undefined, error: expect.objectContaining({ name: "AbortError" }) };
  const whole = { status: 200, text };
  const cut = { status: 200, error: expect.any(Error) };

  test.each<[fault: MockFault, seen: Seen, time?: { giveUpMs?: number; minMs?: number }]>([
    [{ kind: "reset" }, broken("ECONNRESET")],
    [{ kind: "refuse" }, broken("ECONNREFUSED")],
    [{ kind: "stall" }, unanswered, { giveUpMs: 20 }],
    [{ kind: "stall-body", afterBytes: 0 }, left, { giveUpMs: 20 }],
    [{ kind: "stall-body", afterBytes: 40 }, left, { giveUpMs: 20 }],
    [{ kind: "cut-body", afterBytes: 0 }, cut],
    [{ kind: "cut-body", afterBytes: 40 }, cut],
    [{ kind: "cut-body", afterBytes: size - 1 }, cut],
    // These pieces end within characters.
    [{ kind: "drip-body", bytes: 1, everyMs: 0 }, whole],
    [{ kind: "drip-body", bytes: Math.ceil(size / 3), everyMs: 15 }, whole, { minMs: 25 }],
    [{ kind: "drip-body", bytes: 1, everyMs: 10 }, left, { giveUpMs: 30 }],
    [{ kind: "latency", ms: 30 }, whole, { minMs: 28 }],
    [{ kind: "latency", ms: 5_000 }, unanswered, { giveUpMs: 20 }],
    say(204, ""),
    say(429, "<html>"),
    say(502, '{"cut'),
  ])(
    `a handler plays %j like a socket, for ${client}`,
    async (fault, seen, { giveUpMs, minMs = 0 } = {}) => {
      service.faults.play(fault);
      const start = performance.now();
      const giveUp = giveUpMs === undefined ? [] : [abortAfter(giveUpMs)];
      expect(await send(origin, ...giveUp)).toEqual(seen);
      expect(performance.now() - start).toBeGreaterThan(minMs);
    },
  );

  test(`resetHandlers ends stalled requests, for ${client}`, async () => {
    for (const kind of ["stall", "stall-body"] as const) {
      service.faults.play({ kind });
      const pending = send(origin);
      setTimeout(() => server.resetHandlers(), 20);
      expect((await pending).error, kind).toBeInstanceOf(Error);
    }
  });
});

describe("the handlers", () => {
  test("an aborted upload is not carried out, and nothing is printed", async () => {
    const start = (upload: ReadableStreamDefaultController) =>
      upload.enqueue(new TextEncoder().encode('{"action":'));
    const pending = fetch("https://ads.test/v1/jobs", {
      ...{ method: "POST", headers, body: new ReadableStream({ start }) },
      ...{ duplex: "half", signal: abortAfter(30) },
    } as RequestInit);
    await expect(pending).rejects.toMatchObject({ name: "AbortError" });
    expect(service.account("test-key").charges).toEqual([]);
  });

  test.each<MockFault>([
    { kind: "latency", ms: 60_000 },
    { kind: "stall" },
    { kind: "drip-body", bytes: 1, everyMs: 60_000 },
  ])("an aborted request leaves no timer after %j", async (fault) => {
    vi.useFakeTimers();
    service.faults.play(fault);
    const controller = new AbortController();
    const { signal } = controller;
    const request = new Request("https://ads.test/v1/brands", { headers, signal });
    const reply = await service.reply(request);
    const pending = createInterceptedDelivery().deliver(reply, request);
    if (fault.kind === "drip-body") {
      const reader = (await pending).body?.getReader();
      await reader?.read();
      await reader?.cancel();
    } else {
      controller.abort();
      await pending;
    }
    await expectNoTimers();
  });

  test("fake timers drive latency, cut-body and drip-body of the handlers", async () => {
    vi.useFakeTimers();
    const get = () => viaFetch("https://ads.test");
    service.faults.play({ kind: "latency", ms: 60_000 });
    const start = Date.now();
    const pending = get();
    for (let turn = 0; turn < 10_000 && vi.getTimerCount() === 0; turn += 1) {
      await new Promise((next) => process.nextTick(next));
    }
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await pending).toEqual({ status: 200, text });
    expect(Date.now() - start).toBe(60_000);
    vi.setTimerTickMode("nextTimerAsync");
    service.faults.play({ kind: "cut-body", afterBytes: 40 });
    expect(await get()).toMatchObject({ status: 200, error: {} });
    service.faults.play({ kind: "drip-body", bytes: 1, everyMs: 10_000 });
    expect(await get()).toEqual({ status: 200, text });
  });
});
