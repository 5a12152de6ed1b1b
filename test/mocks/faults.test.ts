import { afterEach, describe, expect, test, vi } from "vitest";
import type { MockFault } from "../../mocks/index.ts";
import { expectNoTimers } from "../helpers/faked-time.ts";
import { failure } from "./ask.ts";
import { setUp as createSetUp } from "./set-up.ts";

const headers = { authorization: "Bearer test-key" };
const submission = { method: "POST", headers, body: '{"action":"copy-ad"}' };
const url = "https://ads.test/v1/jobs";

/** Sets up a service whose next request meets a fault. */
const setUp = (fault?: MockFault) => {
  const { service, faults, account } = createSetUp();
  if (fault !== undefined) faults.play(fault);
  const controller = new AbortController();
  const { signal } = controller;
  return {
    ...{ service, faults, signal },
    /** Submits a job, with a signal that `giveUp` aborts. */
    submit: () => service.fetch(url, { ...submission, signal }),
    giveUp: () => controller.abort(new Error("enough")),
    countJobs: () => account.jobs.count,
  };
};

/** The answer of a service that meets no fault. */
const wholeAnswer = await (await setUp().submit()).text();

/** Returns a mock that is called once the promise has settled. */
const watch = (pending: Promise<unknown>) => {
  const settled = vi.fn();
  pending.then(settled, settled);
  return settled;
};

afterEach(() => vi.useRealTimers());

describe("a fault of the connection", () => {
  test.each([
    [{ kind: "reset" }, "ECONNRESET", 0],
    [{ kind: "reset", accepted: true }, "ECONNRESET", 1],
    [{ kind: "refuse" }, "ECONNREFUSED", 0],
  ] as const)(
    "the fault %o rejects the fetch with %s, after %i jobs were made",
    async (fault, code, count) => {
      const { submit, countJobs } = setUp(fault);
      const error = { name: "TypeError", message: "fetch failed", cause: { code } };
      await expect(submit()).rejects.toMatchObject(error);
      expect(countJobs()).toBe(count);
      expect((await submit()).status).toBe(202);
    },
  );

  test.each<[MockFault, number]>([
    [{ kind: "stall" }, 0],
    [{ kind: "stall", accepted: true }, 1],
    [{ kind: "stall-body" }, 1],
  ])(
    "the fault %o lasts until the signal aborts, even if the request could be garbage-collected",
    async (...row) => {
      const [fault, count] = row;
      const { service, signal, giveUp, countJobs } = setUp(fault);
      const ask = async () =>
        (await service.fetch(new Request(url, { ...submission, signal }))).text();
      const pending = ask();
      const settled = watch(pending);
      for (let round = 0; round < 5; round += 1) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        globalThis.gc?.();
      }
      expect(settled).not.toHaveBeenCalled();
      giveUp();
      await expect(pending).rejects.toThrow("enough");
      expect(countJobs()).toBe(count);
    },
  );
});

describe("a fault of the body", () => {
  test.each([
    [10, 10],
    [1_000_000, wholeAnswer.length - 1],
  ])(
    "cut-body ends the body after %i bytes, but before its last byte",
    async (afterBytes, length) => {
      const { submit, countJobs } = setUp({ kind: "cut-body", afterBytes });
      const response = await submit();
      expect(response.status).toBe(202);
      expect(response.headers.get("content-length")).toBe(String(wholeAnswer.length));
      const reader = response.body?.getReader();
      const sent = new TextDecoder().decode((await reader?.read())?.value);
      expect(sent).toBe(wholeAnswer.slice(0, length));
      const error = { message: "terminated", cause: { code: "UND_ERR_SOCKET" } };
      await expect(reader?.read()).rejects.toMatchObject(error);
      expect(countJobs()).toBe(1);
    },
  );

  test("drip-body sends the body piece by piece", async () => {
    vi.useFakeTimers();
    const { submit } = setUp({ kind: "drip-body", bytes: 40, everyMs: 1_000 });
    const text = (await submit()).text();
    const settled = watch(text);
    const pieces = Math.ceil(wholeAnswer.length / 40);
    await vi.advanceTimersByTimeAsync((pieces - 1) * 1_000 - 1);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await text).toBe(wholeAnswer);
  });

  test("drip-body leaves no timer after the reader has cancelled", async () => {
    vi.useFakeTimers();
    const reader = (await setUp({ kind: "drip-body" }).submit()).body?.getReader();
    await reader?.read();
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(1);
    await reader?.cancel();
    await expectNoTimers();
  });
});

const page = (title: string) =>
  `<!doctype html>\n<html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
const half = wholeAnswer.slice(0, wholeAnswer.length >> 1);
const limited = failure("Too many requests");
const html = { "content-type": "text/html; charset=utf-8" };
const pot = { kind: "status", status: 418 } as const;
const tea = { "Content-Type": "text/plain", "X-Teapot": "short", "X-Request-Id": "tea_1" };
const sentTea = { "content-type": "text/plain", "x-teapot": "short", "x-request-id": "tea_1" };

test.each<[MockFault, number, Record<string, string>, string, number]>([
  [{ kind: "wrong-json" }, 202, { "content-type": "application/json" }, half, 1],
  [{ kind: "html" }, 502, html, page("502 Bad Gateway"), 0],
  [{ kind: "html", status: 200 }, 200, html, page("200"), 0],
  [{ kind: "rate-limit" }, 429, { "retry-after": "1" }, limited, 0],
  [{ kind: "rate-limit", retryAfterMs: 0 }, 429, { "retry-after": "0" }, limited, 0],
  [{ kind: "rate-limit", retryAfterMs: 1_500 }, 429, { "retry-after": "2" }, limited, 0],
  [{ kind: "status", status: 503 }, 503, {}, failure("Service unavailable"), 0],
  [{ kind: "status", status: 500 }, 500, {}, failure("Internal error"), 0],
  [{ kind: "status", status: 402 }, 402, {}, failure("Insufficient credits"), 0],
  [{ kind: "status", status: 451 }, 451, {}, failure("Request refused"), 0],
  [{ ...pot, headers: tea, body: "and stout", accepted: true }, 418, sentTea, "and stout", 1],
  [{ kind: "status", status: 500, body: { oops: [1] } }, 500, {}, '{"oops":[1]}', 0],
  [{ kind: "status", status: 204 }, 204, {}, "", 0],
])(
  "a request that meets the fault %j is answered with %i",
  async (fault, status, headers, text, count) => {
    const { submit, countJobs } = setUp(fault);
    const response = await submit();
    expect([response.status, await response.text()]).toEqual([status, text]);
    expect(Object.fromEntries(response.headers)).toMatchObject(headers);
    expect(countJobs()).toBe(count);
  },
);

describe("latency", () => {
  test("a latency delays the answer, but not what the request does", async () => {
    vi.useFakeTimers();
    const { submit, countJobs } = setUp({ kind: "latency", ms: 3_000 });
    const pending = submit();
    const settled = watch(pending);
    await vi.advanceTimersByTimeAsync(2_999);
    expect(countJobs()).toBe(1);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect((await pending).status).toBe(202);
  });

  test("a latency between two limits is drawn by the seed", async () => {
    const delays = async (seed: string): Promise<number[]> => {
      const { service, faults } = createSetUp({ seed });
      faults.play({ kind: "latency", ms: { min: 0, max: 10_000 } }, { times: 20 });
      const replies = Array.from({ length: 20 }, () =>
        service.reply(new Request(url, { headers })),
      );
      return (await Promise.all(replies)).map(({ delayMs }) => delayMs);
    };
    const first = await delays("one");
    expect(new Set(first).size).toBeGreaterThan(15);
    expect(first.every((ms) => ms >= 0 && ms <= 10_000)).toBe(true);
    expect(await delays("one")).toEqual(first);
    expect(await delays("two")).not.toEqual(first);
  });

  test("latencies add up, and delay another fault", async () => {
    const { service, faults } = createSetUp();
    for (const ms of [1_000, 500]) faults.play({ kind: "latency", ms });
    faults.play({ kind: "status", status: 503 });
    const reply = await service.reply(new Request(url, { headers }));
    expect([reply.status, reply.delayMs]).toEqual([503, 1_500]);
  });

  test("a latency ends with the signal, and leaves no timer", async () => {
    vi.useFakeTimers();
    const { submit, giveUp } = setUp({ kind: "latency", ms: 3_000 });
    const expectation = expect(submit()).rejects.toThrow("enough");
    await vi.advanceTimersByTimeAsync(10);
    // Other files of this process may have timers of their own.
    const before = vi.getTimerCount();
    giveUp();
    await expectation;
    expect(vi.getTimerCount()).toBe(before - 1);
  });
});

test.each([
  [null, "fault must be an object"],
  [{ kind: "fire" }, "fault.kind must be one of reset, stall, "],
  [{ kind: "refuse", accepted: true }, 'fault has no field "accepted"; it has kind'],
  [{ kind: "status", stauts: 503 }, 'no field "stauts"; did you mean status?'],
  [{ kind: "reset", accepted: "yes" }, "fault.accepted must be true or false"],
  [{ kind: "status" }, "fault.status must be a whole number from 200 to 599, got undefined"],
  [{ kind: "status", status: 101 }, "from 200 to 599, got 101"],
  [{ kind: "status", status: 503, headers: { "bad name": "x" } }, "fault.headers must be"],
  [{ kind: "status", status: 503, headers: { x: "a\r\nb: c" } }, "fault.headers must be"],
  [{ kind: "status", status: 503, headers: { "Content-Length": "3" } }, "fault.headers must be"],
  [{ kind: "status", status: 503, body: () => 1 }, "fault.body must be JSON"],
  [{ kind: "cut-body", afterBytes: -1 }, "fault.afterBytes must be a whole number"],
  [{ kind: "drip-body", bytes: 0 }, "fault.bytes must be"],
  [{ kind: "rate-limit", retryAfterMs: Number.POSITIVE_INFINITY }, "fault.retryAfterMs must be"],
  [{ kind: "latency" }, "fault.ms must be milliseconds, zero or more"],
  [{ kind: "latency", ms: 2 ** 31 }, "fault.ms must be"],
  [{ kind: "latency", ms: { min: 2, max: 1 } }, "fault.ms must be in order"],
])("the fault %o is refused", (fault, message) => {
  const { faults } = setUp();
  expect(() => faults.play(fault as MockFault)).toThrow(message);
  expect(() => faults.play(fault as MockFault)).toThrow(TypeError);
  expect(faults.scheduled).toEqual([]);
});
