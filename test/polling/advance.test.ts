import { createLearnedDurations, type Job } from "adgen-sdk";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { AnyAdGenError } from "../../src/errors/errors.ts";
import { makeError } from "../../src/errors/make-error.ts";
import { advance, type Seen } from "../../src/polling/advance.ts";
import { resolvePollOptions } from "../../src/polling/poll-options.ts";
import { beginTicket, type WaitTicket } from "../../src/polling/poll-ticket.ts";

const durations = createLearnedDurations();
const startedAt = 1_700_000_000_000;
const usual = resolvePollOptions("pollJob", {});

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
const step = (ticket: WaitTicket, atMs: number, seen: Omit<Seen, "askedAt">) => {
  const now = startedAt + atMs;
  return advance(ticket, { ...seen, askedAt: now }, { now, config: usual, durations });
};

test.each<[string, Omit<Seen, "askedAt">, readonly number[]]>([
  ["after failures", { error: failed("connection") }, [800, 1_200]],
  ["by plan", { job: job("processing") }, [1_800, 2_200]],
])(
  "the pace %s is spread by a fifth of a second to both sides, anew each time",
  (_, seen, range) => {
    const random = vi.spyOn(Math, "random");
    onTestFinished(() => random.mockRestore());
    random.mockReturnValueOnce(0).mockReturnValueOnce(1 - 1e-9);
    const wait = () => Number(step(begin(), 0, seen).pollAt) - startedAt;
    expect([wait(), wait()]).toEqual(range);
    expect(new Set(Array.from({ length: 20 }, wait)).size).toBeGreaterThan(10);
  },
);

const action = "generate-ad";
const submittedAt = startedAt - 500;
const [afterMs, byMs, listedAt] = [4_500, 9_500, startedAt + 6_000];

test.each<[string, Partial<WaitTicket>, status: string, Partial<Seen>, object | undefined]>([
  ["between the last two polls", { action, submittedAt }, "processing", {}, { afterMs, byMs }],
  ["up to its list", { action, submittedAt }, "processing", { listedAt }, { afterMs, byMs: 6_500 }],
  ["of a job found in the queue", { action }, "queued", {}, { afterMs: 4_000, byMs: 9_000 }],
  ["of a job not submitted here", { action }, "processing", {}, undefined],
  ["of an unknown action", { submittedAt }, "queued", {}, undefined],
])("the duration %s", (_, fields, status, seen, expected) => {
  const open = step(begin(fields), 4_000, { job: job(status) });
  const { duration } = step(open.ticket, 9_000, { job: job("completed"), ...seen });
  expect(duration).toEqual(expected);
});

test("a poll changes nothing of the ticket that it was given", () => {
  const before = Object.freeze(begin());
  const { ticket } = step(before, 0, { error: failed("decode", { reason: "envelope" }) });
  const { ticket: next } = step(Object.freeze(ticket), 5_000, { job: job("queued") });
  expect(before).toEqual(begin());
  expect(next).toMatchObject({ polls: 2, requests: 2, failedPolls: 0, lastJob: job("queued") });
  expect(next.failure).toBeUndefined();
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
    resolvePollOptions("pollJob", { intervalMs: 1_000 }),
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
