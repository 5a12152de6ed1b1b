import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { makeError } from "../../src/errors/make-error.ts";
import type { ErrorCode } from "../../src/index.ts";
import { parseRetryAfter, retryDelayMs } from "../../src/transport/retry.ts";

const codes: ErrorCode[] = [
  "bad_request",
  "unauthorized",
  "payment_required",
  "not_found",
  "rate_limited",
  "server_error",
  "unexpected_status",
  "connection",
  "timeout",
  "aborted",
  "decode",
  "invalid_request",
  "config",
];

const failedAttempt = fc.record({
  method: fc.constantFrom("GET", "POST", "PATCH", "DELETE"),
  error: fc
    .record({
      code: fc.constantFrom(...codes),
      status: fc.option(fc.constantFrom(200, 302, 400, 404, 408, 429, 500, 503), {
        nil: undefined,
      }),
      outcome: fc.constantFrom("not-sent" as const, "refused" as const, "unknown" as const),
      retryAfterMs: fc.option(fc.nat(200_000), { nil: undefined }),
    })
    .map(({ code, ...fields }) => makeError(code, "no", fields)),
  attempt: fc.integer({ min: 1, max: 12 }),
  maxRetries: fc.nat(10),
  leftMs: fc.integer({ min: -1_000, max: 120_000 }),
});

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe("the wait before another attempt", () => {
  it("never sends a write again that may have been carried out", () => {
    fc.assert(
      fc.property(failedAttempt, random, (failed, value) => {
        const { method, error } = failed;
        fc.pre(method === "POST" || method === "PATCH");
        if (retryDelayMs(failed, () => value) === undefined) return;
        const neverLeft = error.code === "connection" && error.outcome === "not-sent";
        const refused = error.status === 429 && error.retryAfterMs !== undefined;
        expect(neverLeft || refused).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("stays within the retries and the time that are left, and never shortens Retry-After", () => {
    fc.assert(
      fc.property(failedAttempt, random, (failed, value) => {
        const waitMs = retryDelayMs(failed, () => value);
        if (waitMs === undefined) return;
        expect(failed.attempt).toBeLessThanOrEqual(failed.maxRetries);
        expect(waitMs).toBeGreaterThanOrEqual(0);
        expect(waitMs).toBeLessThan(failed.leftMs);
        const { retryAfterMs } = failed.error;
        if (retryAfterMs === undefined) return;
        const shortestMs = Math.min(50 * 2 ** (failed.attempt - 1), 1_000);
        expect(waitMs).toBe(Math.max(retryAfterMs, shortestMs));
      }),
      { numRuns: 2_000 },
    );
  });

  it("doubles from a quarter of a second to four seconds, with full jitter", () => {
    const error = makeError("server_error", "no", { status: 503 });
    const waits = (value: number) =>
      [1, 2, 3, 4, 5, 6, 7].map((attempt) =>
        retryDelayMs(
          { method: "GET", error, attempt, maxRetries: 10, leftMs: 60_000 },
          () => value,
        ),
      );

    expect(waits(1)).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
    expect(waits(0)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(waits(0.5)[3]).toBe(1_000);
  });

  it("is no burst where the service allows to come back at once", () => {
    const error = makeError("rate_limited", "no", {
      status: 429,
      retryAfterMs: 0,
      outcome: "refused",
    });
    const waits = [1, 2, 3, 4, 5, 6, 7].map((attempt) =>
      retryDelayMs({ method: "POST", error, attempt, maxRetries: 10, leftMs: 60_000 }),
    );

    expect(waits).toEqual([50, 100, 200, 400, 800, 1_000, 1_000]);
  });

  it("leaves half of the time that is left to the next attempt", () => {
    const error = makeError("timeout", "no");
    const failed = { method: "GET", error, attempt: 1, maxRetries: 2, leftMs: 100 };

    expect(retryDelayMs(failed, () => 1)).toBe(50);
  });
});

describe("Retry-After", () => {
  const parse = (retryAfter: string, date?: string) =>
    parseRetryAfter(new Headers({ "retry-after": retryAfter, ...(date && { date }) }));
  const date = "Sun, 06 Nov 1994 08:49:37 GMT";

  it("is seconds", () => {
    expect(["0", "1", " 120 ", "1.5", "007"].map((text) => parse(text))).toEqual([
      0, 1_000, 120_000, 1_500, 7_000,
    ]);
  });

  it("is a date, by the service's own clock", () => {
    expect(parse("Sun, 06 Nov 1994 08:50:37 GMT", date)).toBe(60_000);
    expect(parse("Sunday, 06-Nov-94 08:50:37 GMT", date)).toBe(60_000);
    expect(parse("Sun Nov  6 08:50:37 1994", date)).toBe(60_000);
    expect(parse("Sun, 06 Nov 1994 08:00:00 GMT", date)).toBe(0);
  });

  it("is compared with the service's clock in each of HTTP's three forms", () => {
    for (const now of [date, "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"]) {
      expect(parse("Sun, 06 Nov 1994 08:50:37 GMT", now)).toBe(60_000);
    }
  });

  it("takes a year of two digits for the nearest one, at most 50 years ahead", () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 22), toFake: ["Date"] });
    try {
      const inYear = (year: string) => parse(`Sunday, 22-Nov-${year} 00:00:00 GMT`);
      expect(inYear("26")).toBe(0);
      expect(inYear("27")).toBe(365 * 86_400_000);
      expect(inYear("49")).toBe(Date.UTC(2049, 10, 22) - Date.UTC(2026, 10, 22));
      // 2077 is more than 50 years ahead, so it is 1977, and over.
      expect(inYear("77")).toBe(0);
      expect(inYear("99")).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is a date, by our clock where the service does not tell its own", () => {
    const until = new Date(Date.now() + 60_000).toUTCString();

    expect(parse(until)).toBeGreaterThan(58_000);
    expect(parse(until)).toBeLessThanOrEqual(60_000);
    expect(parse(until, "yesterday")).toBeGreaterThan(58_000);
  });

  it("is nothing where it makes no sense", () => {
    for (const text of [
      "",
      "soon",
      "-5",
      "-Infinity",
      "5, 10",
      "NaN",
      "never GMT",
      "0x10",
      "1e3",
      "+5",
    ]) {
      expect(parse(text, date)).toBeUndefined();
    }
  });
});
