import { createLearnedDurations, type Job } from "adgen-sdk";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { AnyAdGenError } from "../../src/errors/errors.ts";
import { makeError } from "../../src/errors/make-error.ts";
import { advance, firstPollAt, type Seen } from "../../src/polling/advance.ts";
import { resolvePollOptions } from "../../src/polling/poll-options.ts";
import { beginTicket, type WaitTicket } from "../../src/polling/poll-ticket.ts";

const durations = createLearnedDurations();
const startedAt = 1_700_000_000_000;
const usual = resolvePollOptions("pollJob", {});
const forced = resolvePollOptions("pollJob", { intervalMs: 1_000 });

const begin = (fields: Partial<WaitTicket> = {}): WaitTicket => ({
  ...beginTicket("job_1", startedAt, usual.timeoutMs),
  ...fields,
});

const job = (status: string) => ({ job_id: "job_1", status }) as Job & { [field: string]: unknown };

const failed = (
  code: AnyAdGenError["code"],
  fields: Parameters<typeof makeError>[2] = {},
): AnyAdGenError => makeError(code, "it failed", { attempts: 1, ...fields });

/** One poll at this time of the wait, answered at once. */
const step = (ticket: WaitTicket, atMs: number, seen: Omit<Seen, "askedAt">, config = usual) => {
  const now = startedAt + atMs;
  return advance(ticket, { ...seen, askedAt: now }, { now, config, durations });
};

/** Time from a poll to the next one. */
const waitOf = (ticket: WaitTicket, atMs: number, seen: Omit<Seen, "askedAt">, config = usual) => {
  const { pollAt, error, job: end } = step(ticket, atMs, seen, config);
  return error?.code ?? end?.status ?? Number(pollAt) - startedAt - atMs;
};

test("the pace is spread by a fifth to both sides, anew each time", () => {
  const random = vi
    .spyOn(Math, "random")
    .mockReturnValueOnce(0)
    .mockReturnValueOnce(1 - 1e-9);
  onTestFinished(() => random.mockRestore());
  const wait = () => waitOf(begin(), 0, { error: failed("connection") });
  expect([wait(), wait()]).toEqual([800, 1_200]);
  expect(new Set(Array.from({ length: 20 }, wait)).size).toBeGreaterThan(10);
});

describe("a duration", () => {
  const submitted = begin({ submittedAt: startedAt - 500, action: "generate-ad" });

  test("lies between the last poll that saw the job open and the one that saw it finished", () => {
    const open = step(submitted, 4_000, { job: job("processing") });
    const { duration } = step(open.ticket, 9_000, { job: job("completed") });
    expect(duration).toEqual({ afterMs: 4_500, byMs: 9_500 });
  });

  test("ends where a list showed the job finished first", () => {
    const open = step(submitted, 4_000, { job: job("processing") });
    const seen = { job: job("completed"), listedAt: startedAt + 6_000 };
    expect(step(open.ticket, 9_000, seen).duration).toEqual({ afterMs: 4_500, byMs: 6_500 });
  });

  test("counts from the start where the job was first seen in the queue", () => {
    const open = step(begin({ action: "generate-ad" }), 0, { job: job("queued") });
    const { duration } = step(open.ticket, 3_000, { job: job("completed") });
    expect(duration).toEqual({ afterMs: 0, byMs: 3_000 });
  });

  test.each([
    ["the submission", begin({ action: "generate-ad" })],
    ["the action", begin({ submittedAt: startedAt })],
  ])("is none where %s is not known", (_, ticket) => {
    expect(step(ticket, 3_000, { job: job("completed") }).duration).toBeUndefined();
  });
});

test("a poll changes nothing of the ticket that it was given, and a ticket survives JSON", () => {
  const before = Object.freeze(begin());
  const { ticket } = step(before, 0, { error: failed("decode", { reason: "envelope" }) });
  const { ticket: next } = step(JSON.parse(JSON.stringify(ticket)), 5_000, { job: job("queued") });
  expect(before).toEqual(begin());
  expect(next).toMatchObject({ polls: 2, requests: 2, failedPolls: 0, lastJob: job("queued") });
  expect(next.failure).toBeUndefined();
});

test.each([
  ["nothing asks for a time", undefined, [1_800, 2_200]],
  ["the submission's answer asks for one", 5_000, [5_000, 5_000]],
])("the first poll of a job that was just submitted waits where %s", (_, retryAfterMs, range) => {
  const ticket = begin({ submittedAt: startedAt, action: "generate-ad" });
  const at = firstPollAt(ticket, retryAfterMs, { now: startedAt, config: usual, durations });
  expect(at - startedAt).toBeGreaterThanOrEqual(Number(range[0]));
  expect(at - startedAt).toBeLessThanOrEqual(Number(range[1]));
});

describe("whatever is seen", () => {
  const passing = fc.constantFrom(
    failed("connection"),
    failed("timeout"),
    failed("server_error", { status: 500 }),
    failed("rate_limited", { status: 429 }),
    failed("unexpected_status", { status: 408 }),
    failed("server_error", { status: 502, contentType: "text/html" }),
  );
  const retryAfterMs = fc.option(fc.constantFrom(0, 1, 999, 5_000, 59_999, 86_400_000), {
    nil: undefined,
  });
  const sight = fc.oneof(
    fc.record({ error: passing, retryAfterMs }),
    fc.record({ job: fc.constantFrom(job("queued"), job("processing"), job("new")), retryAfterMs }),
  );
  const config = fc.constantFrom(
    usual,
    forced,
    resolvePollOptions("pollJob", { intervalMs: 0 }),
    resolvePollOptions("pollJob", { targetDelayMs: 1, maxIntervalMs: 50 }),
  );

  /** Answers that end a wait when they stay. */
  const lasting = fc.constantFrom(
    failed("not_found", { status: 404 }),
    failed("not_found", { status: 404, contentType: "text/html" }),
    failed("unexpected_status", { status: 405 }),
    failed("unauthorized", { status: 401, contentType: "text/html" }),
    failed("decode", { reason: "envelope" }),
  );
  const forEver = function* <T>(value: T): Generator<T> {
    for (;;) yield value;
  };
  const sights: fc.Arbitrary<Iterator<Omit<Seen, "askedAt">>> = fc.oneof(
    fc.infiniteStream(sight),
    fc.record({ error: lasting, retryAfterMs }).map(forEver),
  );

  test("a wait of passing failures ends at its deadline only, and no wait polls hot", () => {
    fc.assert(
      fc.property(sights, config, fc.nat(300), (seenNext, own, latencyMs) => {
        let ticket = begin();
        let now = startedAt;
        const polledAt: number[] = [];
        for (let polls = 0; polls < 30_000; polls++) {
          const { value } = seenNext.next();
          polledAt.push(now);
          const askedAt = now;
          now += latencyMs;
          const next = advance(ticket, { ...value, askedAt }, { now, config: own, durations });
          expect(next.job).toBeUndefined();
          ticket = next.ticket;
          if (next.error === undefined) {
            now = Math.min(Math.max(Number(next.pollAt), now), Math.max(ticket.deadlineAt, now));
            continue;
          }
          if (next.error === value.error) {
            const leastMs = next.error.contentType || next.error.status !== 404 ? 30_000 : 10_000;
            expect(now - startedAt).toBeGreaterThanOrEqual(leastMs);
          } else {
            expect(next.error.code).toBe("poll_timeout");
            expect(askedAt).toBeGreaterThan(ticket.deadlineAt - 1);
          }
          // From the 21st poll on, 100 ms lie between two of them; a 404 is also polled at 10 s.
          const gaps = polledAt.slice(21, -1).map((at, index) => at - Number(polledAt[index + 20]));
          const isCut = value.error?.code === "not_found" && value.error === next.error;
          expect(gaps.filter((gap) => gap < 100).length).toBeLessThanOrEqual(isCut ? 1 : 0);
          return;
        }
        throw new Error("the wait did not end");
      }),
      { numRuns: 100 },
    );
  });
});
