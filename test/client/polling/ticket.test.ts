import { createPollTicket, type Job, type PollTicket, pollOnce } from "adgen-sdk";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import type { AnyAdGenError } from "../../../src/client/errors/errors.ts";
import { makeError } from "../../../src/client/errors/make-error.ts";
import { advance, type PollResult } from "../../../src/client/polling/advance.ts";
import { resolvePollOptions } from "../../../src/client/polling/poll-options.ts";
import { newTicket, type WaitTicket } from "../../../src/client/polling/poll-ticket.ts";
import { useFakedTime } from "../../helpers/faked-time.ts";
import { createScriptedClient, page, success } from "./scripted-client.ts";

useFakedTime();

test("a ticket takes the time limit of its wait, and the time of its submission", () => {
  const ticket = createPollTicket("job_1", { timeoutMs: 5_000, submittedAt: 1_000 });
  expect(ticket.deadlineAt - ticket.startedAt).toBe(5_000);
  expect(ticket.submittedAt).toBe(1_000);
  expect(() => createPollTicket("job_1", { timeoutMs: -1 })).toThrow("timeoutMs");
});

test("a ticket keeps only the status of its job, even if it is an old ticket", async () => {
  const images = [`data:image/png;base64,${"A".repeat(1_000_000)}`];
  const odd = "x".repeat(9_000);
  const { client } = createScriptedClient([
    page(405, "no", `text/${odd}`),
    success({ images, status: "processing" }),
    500,
    success({ images, status: odd }),
    500,
  ]);
  const old = { job_id: "job_1", status: "queued", images } as const;
  let ticket = createPollTicket({ job_id: "job_1", action: "generate-ad-copy" });
  for (const status of [undefined, "processing", "processing", odd.slice(0, 50)]) {
    const polled = await pollOnce(client, JSON.parse(JSON.stringify(ticket)));
    if (polled.done) throw new Error("it was done");
    ticket = polled.ticket;
    expect(ticket.lastJob).toEqual(status && { status });
    expect(JSON.stringify(ticket).length).toBeLessThan(500);
    if (status === undefined) ticket = { ...ticket, lastJob: old };
  }
  const late = pollOnce(client, { ...ticket, deadlineAt: Date.now() - 1 });
  const lastJob = { job_id: "job_1", status: odd.slice(0, 50) };
  await expect(late).rejects.toMatchObject({ code: "poll_timeout", lastJob });
});

const good = createPollTicket("job_1");

test.each<[string, unknown, string, object?]>([
  ["no ticket", undefined, "pollOnce's ticket must be what createPollTicket gave"],
  ["a job instead of a ticket", { job_id: "job_1" }, "pollOnce's ticket must be"],
  ["another version", { ...good, version: 2 }, "pollOnce's ticket must be"],
  ["an id that leads to another path", { ...good, jobId: ".." }, "pollOnce's ticket must be"],
  ["no deadline", { ...good, deadlineAt: undefined }, "pollOnce's ticket must be"],
  ["the time limit of a whole wait", good, 'pollOnce has no option "timeoutMs"', { timeoutMs: 5 }],
])("pollOnce refuses %s before anything is sent", async (_, ticket, message, options = {}) => {
  const { client, polls } = createScriptedClient(["queued"]);
  const polled = pollOnce(client, ticket as PollTicket, options as object);
  await expect(polled).rejects.toMatchObject({ code: "invalid_request" });
  await expect(polled).rejects.toThrow(message);
  expect(polls).toEqual([]);
});

const startedAt = 1_700_000_000_000;
const usual = resolvePollOptions("pollJob", {});

const begin = (fields: Partial<WaitTicket> = {}): WaitTicket => ({
  ...newTicket("job_1", startedAt, usual.timeoutMs),
  ...fields,
});

const job = (status: string) => ({ job_id: "job_1", status }) as Job & { [field: string]: unknown };

const failed = (
  code: AnyAdGenError["code"],
  fields: Parameters<typeof makeError>[2] = {},
): AnyAdGenError => makeError(code, "it failed", { attempts: 1, ...fields });

/** Polls once at this time of the wait. The answer comes at once. */
const step = (ticket: WaitTicket, atMs: number, seen: Omit<PollResult, "askedAt">) => {
  const now = startedAt + atMs;
  return advance(ticket, { ...seen, askedAt: now }, { now, config: usual });
};

test.each<[string, Omit<PollResult, "askedAt">, readonly number[]]>([
  ["after failures", { error: failed("connection") }, [800, 1_200]],
  ["by age", { job: job("processing") }, [1_600, 2_400]],
])("the pace %s varies by a fifth to both sides, anew each time", (_, seen, range) => {
  const random = vi.spyOn(Math, "random");
  onTestFinished(() => random.mockRestore());
  random.mockReturnValueOnce(0).mockReturnValueOnce(1 - 1e-9);
  const wait = () => Number(step(begin(), 0, seen).pollAt) - startedAt;
  expect([wait(), wait()]).toEqual(range);
  expect(new Set(Array.from({ length: 20 }, wait)).size).toBeGreaterThan(10);
});

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
  resolvePollOptions("pollJob", { maxIntervalMs: 50 }),
);

/** Failures that end a wait when they are repeated. */
const lasting = [
  failed("not_found", { status: 404 }),
  failed("not_found", { status: 404, contentType: "text/html" }),
  failed("unexpected_status", { status: 405 }),
  failed("unexpected_status", { status: 405, contentType: "text/html" }),
  failed("unexpected_status", { status: 409 }),
  failed("unauthorized", { status: 401, contentType: "text/html" }),
  failed("decode", { reason: "envelope" }),
  failed("decode", { reason: "data" }),
];
const inTurn = function* (...values: Omit<PollResult, "askedAt">[]) {
  for (;;) yield* values;
};
const stay = fc
  .record({ error: fc.constantFrom(...lasting), retryAfterMs })
  .map((seen) => inTurn(seen));

/** Polls to the end of a wait. */
const pollToEnd = (
  sights: Iterator<Omit<PollResult, "askedAt">>,
  own: Parameters<typeof advance>[2]["config"],
  latencyMs: number,
) => {
  let ticket = begin();
  const polledAt: number[] = [];
  for (let now = startedAt; polledAt.length < 30_000; ) {
    const { value } = sights.next();
    const askedAt = now;
    polledAt.push(now);
    now += latencyMs;
    const context = { now, config: own };
    // Freeze the ticket, because `advance` must not change it.
    const next = advance(Object.freeze(ticket), { ...value, askedAt }, context);
    ticket = next.ticket;
    expect(next.pollAt === undefined).toBe(next.error !== undefined);
    if (next.error) return { error: next.error, last: value.error, ticket, polledAt, now };
    now = Math.min(Math.max(Number(next.pollAt), now), Math.max(ticket.deadlineAt, now));
  }
  throw new Error("the wait did not end");
};

test("a wait with temporary failures ends only at its deadline, and no wait is a busy loop", () => {
  fc.assert(
    fc.property(fc.oneof(fc.infiniteStream(sight), stay), config, fc.nat(300), (...given) => {
      const { error, last, ticket, polledAt, now } = pollToEnd(...given);
      if (error === last) {
        const minMs = error.contentType || error.status !== 404 ? 30_000 : 10_000;
        expect(now - startedAt).toBeGreaterThanOrEqual(minMs);
      } else {
        expect(error.code).toBe("poll_timeout");
        expect(polledAt.at(-1)).toBeGreaterThan(ticket.deadlineAt - 1);
      }
      // From the 21st poll on, polls are 100 ms apart, except for the poll of a 404 at 10 s.
      const gaps = polledAt.slice(21, -1).map((at, index) => at - Number(polledAt[index + 20]));
      const isCut = last?.code === "not_found" && last === error;
      expect(gaps.filter((gap) => gap < 100).length).toBeLessThanOrEqual(isCut ? 1 : 0);
    }),
    { numRuns: 100 },
  );
});
