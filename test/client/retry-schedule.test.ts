import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { markAsNotSent } from "../../src/client/index.ts";
import {
  type Call,
  createBrand,
  deleteBrand,
  getJob,
  respondWithData,
  submitJob,
  updateBrand,
} from "../helpers/calls.ts";
import { fetchError, paidJob } from "../helpers/client.ts";
import { hang, play, refuse, startOfTime } from "../helpers/virtual-time.ts";

afterEach(() => vi.restoreAllMocks());

const found = () => respondWithData({ job_id: "j", status: "queued", id: "b" });
const asking = (value: string, status = 503, date?: string) =>
  refuse(status, { "retry-after": value, ...(date !== undefined && { date }) });

/** Waits between requests. Each is a millisecond longer, because timers may fire too early. */
const waitsOf = (sentAt: readonly number[]): number[] =>
  sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0) - 1);

const day = 86_400_000;
const date = "Sun, 06 Nov 1994 08:49:37 GMT";
const utc = (ms: number) => new Date(startOfTime + ms).toUTCString();

it.each<[retryAfter: string, waitMs: number, date?: string]>([
  ["1", 1_000],
  ["120", 120_000],
  ["1.5", 1_500],
  ["007", 7_000],
  // The shortest wait, even if the service allows a retry at once.
  ["0", 50],
  // A date counts by the service's own clock. HTTP has three forms of dates.
  ["Sun, 06 Nov 1994 08:50:37 GMT", 60_000, date],
  ["Sunday, 06-Nov-94 08:50:37 GMT", 60_000, date],
  ["Sun, 06 Nov 1994 08:50:37 GMT", 60_000, "Sunday, 06-Nov-94 08:49:37 GMT"],
  ["Sun, 06 Nov 1994 08:50:37 GMT", 60_000, "Sun Nov  6 08:49:37 1994"],
  ["Sun, 06 Nov 1994 08:00:00 GMT", 50, date],
  // A date counts by our clock if the service doesn't tell its own.
  [utc(60_000), 60_000],
  [utc(60_000), 60_000, "yesterday"],
  [utc(-day), 50],
])("a Retry-After is waited out: %s is %i ms", async (retryAfter, waitMs, serverDate) => {
  for (const status of [429, 500, 503]) {
    const answers = [asking(retryAfter, status, serverDate), found];
    const options = { totalTimeoutMs: 2 ** 31 - 1 };
    const { data, ms, sentAt } = await play(answers, getJob, options);

    expect(waitsOf(sentAt)).toEqual([waitMs]);
    expect(ms).toBe(waitMs + 1);
    expect(data).toBeDefined();
  }
});

const farAway = "Fri, 31 Dec 9999 23:59:59 GMT";
it.each<[name: string, retryAfter: string, retryAfterMs: number, date?: string]>([
  ["an hour", "3600", 3_600_000],
  ["nine tenths of the time that is left", "54", 54_000],
  ["centuries", "9999999999", 9_999_999_999_000],
  ["a date far away", farAway, Date.parse(farAway) - Date.parse(date), date],
])("too long a Retry-After ends the call: %s", async (_, retryAfter, retryAfterMs, serverDate) => {
  const answers = [asking(retryAfter, 429, serverDate), found];
  for (const call of [getJob, submitJob]) {
    const { error, ms, sentAt } = await play(answers, call, { totalTimeoutMs: 60_000 });
    expect(error).toMatchObject({
      code: "rate_limited",
      status: 429,
      retryAfterMs,
      attempts: 1,
    });
    const seconds = retryAfterMs / 1_000;
    expect(error?.message).toMatch(new RegExp(` answered 429: no; try again in ${seconds} s$`));
    expect(sentAt).toEqual([0]);
    expect(ms).toBe(0);
  }
});

it.each([{ timeoutMs: 1_500 }, { totalTimeoutMs: 1_500 }, { maxRetries: 0 }])(
  "the Retry-After of a submission ends the call at once with %j",
  async (options) => {
    const call: Call = ({ jobs }) => jobs.submit(paidJob, options);
    const { error, ms, sentAt } = await play([asking("2", 429), found], call);
    expect(error).toMatchObject({ outcome: "refused", retryAfterMs: 2_000, attempts: 1 });
    expect([ms, sentAt]).toEqual([0, [0]]);
  },
);

it("a Retry-After is waited out if it is below nine tenths of the time left", async () => {
  expect((await play([asking("53.999"), found], getJob)).sentAt).toEqual([0, 54_000]);
});

const senseless = ["soon", "", " ", "-0", "-1", "+5", "5, 10", "0x10", "1e3", "never GMT"];
it.each([...senseless, "NaN", "-Infinity"])(
  "a Retry-After is ignored if it is %j",
  async (retryAfter) => {
    const { error } = await play([asking(retryAfter, 503, date)], getJob, { maxRetries: 0 });
    expect(error).toMatchObject({ code: "server_error", attempts: 1 });
    expect(error?.retryAfterMs).toBeUndefined();
  },
);

it("a Retry-After is in the error of every response, but only some statuses are retried after it", async () => {
  const { error, sentAt } = await play([asking("0", 404), found], getJob);
  expect(error).toMatchObject({ code: "not_found", retryAfterMs: 0, attempts: 1 });
  expect(sentAt).toEqual([0]);
});

const atOnce = { "retry-after": "0" };
const noBurst = [50, 100, 200, 400, 800, 1_000, 1_000];

it.each<[string, number, Record<string, string>, number, number[]]>([
  ["double to four seconds", 1, {}, 120_000, [250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]],
  ["have full jitter, with the least chance", 0, {}, 120_000, [0, 0, 0, 0, 0, 0, 0]],
  [
    "have full jitter, with half the chance",
    0.5,
    {},
    120_000,
    [125, 250, 500, 1_000, 2_000, 2_000, 2_000],
  ],
  ["are no burst if the service allows a retry at once", 0.5, atOnce, 120_000, noBurst],
  ["leave half of the time that is left", 1, {}, 100, [50, 24, 12, 5]],
])("the waits between attempts %s", async (_, random, headers, totalTimeoutMs, waits) => {
  vi.spyOn(Math, "random").mockReturnValue(random);
  const options = { maxRetries: 7, totalTimeoutMs };

  const read = await play([refuse(503, headers)], getJob, options);
  const refused = await play([refuse(429, headers)], submitJob, options);

  expect(waitsOf(read.sentAt)).toEqual(waits);
  expect(read.error).toMatchObject({ code: "server_error", attempts: waits.length + 1 });
  expect(read.ms).toBeLessThan(totalTimeoutMs);
  expect(waitsOf(refused.sentAt)).toEqual(headers === atOnce ? waits : []);
});

it.each([0, 1, 10, undefined])("maxRetries is the number of retries: %j", async (maxRetries) => {
  const ofClient = await play([refuse(503, atOnce)], getJob, { maxRetries });
  const ofCall = await play([refuse(503, atOnce)], ({ jobs }) => jobs.get("j", { maxRetries }));
  expect(ofClient.sentAt).toHaveLength((maxRetries ?? 2) + 1);
  expect(ofCall.sentAt).toHaveLength((maxRetries ?? 2) + 1);
});

/** Statuses which mean that a write was not carried out. */
const refusing = [400, 401, 402, 404, 429];
/** Statuses after which a read is retried. */
const passing = [408, 429, 500, 503];
const lasting = [302, 403, 409, 410, 422];

/** What `fetch` or the service does with one request. */
const step = fc.record({
  kind: fc.constantFrom("marked", "reset", "refused", "hang", ...refusing, ...passing, ...lasting),
  retryAfterMs: fc.option(fc.constantFrom(0, 20, 1_000, 7_000, 200_000), { nil: undefined }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const answerOf = ({ kind, retryAfterMs }: Step) => {
  if (kind === "hang") return hang;
  if (typeof kind === "number") {
    return retryAfterMs === undefined ? refuse(kind) : asking(String(retryAfterMs / 1_000), kind);
  }
  // ECONNREFUSED proves something only for the global `fetch`.
  const error = fetchError(kind === "reset" ? "ECONNRESET" : "ECONNREFUSED");
  return () => Promise.reject(kind === "marked" ? markAsNotSent(error) : error);
};

it("a write that may have been carried out is never retried, and every limit holds", async () => {
  const played = fc.record({
    call: fc.constantFrom(getJob, submitJob, createBrand, updateBrand, deleteBrand),
    steps: fc.array(step, { minLength: 1, maxLength: 5 }),
    maxRetries: fc.nat(6),
    timeoutMs: fc.constantFrom(50, 3_000, 60_000),
    totalTimeoutMs: fc.constantFrom(60, 5_000, 100_000),
  });
  const run = fc.asyncProperty(played, async ({ call, steps, ...limits }) => {
    const { error, ms, sentAt } = await play([...steps.map(answerOf), found], call, limits);

    const met = steps.slice(0, sentAt.length);
    const isRepeatable = call === getJob || call === deleteBrand;
    expect(sentAt.length).toBeLessThanOrEqual(limits.maxRetries + 1);
    expect(ms).toBeLessThanOrEqual(limits.totalTimeoutMs);
    for (const [index, waitMs] of waitsOf(sentAt).entries()) {
      const { kind, retryAfterMs } = met[index] as Step;
      const isPassing = typeof kind === "string" || passing.includes(kind);
      const wasRefused = kind === 429 && retryAfterMs !== undefined;
      expect(isRepeatable ? isPassing : kind === "marked" || wasRefused).toBe(true);
      const isWait = typeof kind === "number" && retryAfterMs !== undefined;
      expect(waitMs).toBeGreaterThanOrEqual(isWait ? retryAfterMs : 0);
    }
    const isDoubtful = ({ kind }: Step) => kind !== "marked" && !refusing.includes(Number(kind));
    const hasAnswer = met.some(({ kind }) => typeof kind === "number");
    const known = hasAnswer ? "refused" : "not-sent";
    const outcome = met.some(isDoubtful) ? "unknown" : known;
    expect(error?.outcome).toBe(error && call !== getJob ? outcome : undefined);
  });
  await fc.assert(run, { numRuns: 400 });
});
