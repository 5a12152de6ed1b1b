import { type AnyAdGenError, type ClientOptions, pollJob } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import { success as ended } from "../../helpers/answers.ts";
import { clientOf } from "../../helpers/client.ts";
import { useFakedTime } from "../../helpers/faked-time.ts";
import { listen } from "../../helpers/http-server.ts";
import { lossesOf, refusals } from "../../helpers/service-faults.ts";
import {
  answer,
  expectPlayed,
  late,
  offline,
  type PlayedRow,
  page,
  play,
  refused,
  type Step,
  seen,
  silent,
  submitted,
  success,
  times,
} from "./scripted-client.ts";

useFakedTime();

/**
 * Times at which a repeated response ends a wait: for a job never seen before, and for a seen one.
 */
const ends = {
  "at once": [0, 1_000],
  "10 s after the start": [10_000, undefined],
  "in 30 s": [30_782, 40_782],
  "in 30 s, with a poll at 10 s": [37_594, 37_594],
  never: [60_000, 60_000],
} as const;

type End = keyof typeof ends;
/** A name, the answer, and fields of its error. */
type Row = readonly [name: string, step: Step, error: object];

const decode = { name: "DecodeError", code: "decode" };
const api = { name: "ApiError", code: "unexpected_status" };
const down = { name: "ApiError", code: "server_error" };
const finished = { status: "completed", result: 7 };
const tooLarge = success({ status: "completed", result: "x".repeat(2_000) });
const failure200 = answer({ success: false, data: null, error: "Job expired" });
const toLogin: Step = () =>
  new Response(null, { status: 302, headers: { location: "https://login.test/?back=/v1" } });
const cutOff: Step = () => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"success":')),
    pull: (controller) => controller.error(new TypeError("terminated")),
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
};

/** Responses of a proxy that are no refusals of the service. */
const strangersOf = (status: number): readonly Row[] =>
  [
    ["<h1>Log in</h1>", "text/html"],
    ['{"message":"no Route matched"}', "application/json"],
    ["", ""],
  ].map(([text, contentType]) => [
    `a ${status} of a stranger: ${text}`,
    page(status, text, contentType),
    { status, contentType },
  ]);

/** Answers that end a wait at these times. */
const judged = (unseen: End, seen: End, answers: readonly Row[]) =>
  answers.map(([name, step, error]) => ({ name, step, error, unseen, seen }));

const rows = [
  ...judged("at once", "at once", [
    ["a 400", 400, { name: "BadRequestError", code: "bad_request", status: 400 }],
    ["a 401", 401, { name: "UnauthorizedError", code: "unauthorized", status: 401 }],
    ["a 402", 402, { name: "PaymentRequiredError", code: "payment_required", status: 402 }],
    ["a 403", 403, { ...api, status: 403 }],
    ["a 410", 410, { ...api, status: 410 }],
    ["an answer that is too large", tooLarge, { ...decode, reason: "too-large" }],
  ]),
  ...judged("10 s after the start", "at once", [
    ["a 404", 404, { name: "NotFoundError", code: "not_found", status: 404 }],
  ]),
  ...judged("in 30 s", "in 30 s", [
    ...[405, 409, 422].map((status): Row => [`a ${status}`, status, { ...api, status }]),
    ["a 200 with a failure", failure200, { ...api, status: 200 }],
    ...[
      { job_id: "job_1", ...finished },
      { success: true, data: finished },
    ].map((body): Row => [JSON.stringify(body), answer(body), { ...decode, reason: "envelope" }]),
    ...[
      { job_id: 1, ...finished },
      { job_id: "JOB_1", ...finished },
      { job: { job_id: "job_1", ...finished } },
      ...[null, 4, true, ["completed"], { is: "completed" }].map((status) => ({ status })),
    ].map((data): Row => [JSON.stringify(data), success(data), { ...decode, reason: "data" }]),
    ...[400, 401, 402, 403, 410].flatMap(strangersOf),
  ]),
  ...judged("in 30 s, with a poll at 10 s", "in 30 s, with a poll at 10 s", strangersOf(404)),
  ...judged("in 30 s", "never", [
    ["a 200 with HTML", page(200), { ...decode, reason: "not-json", contentType: "text/html" }],
    ["a 200 without a body", page(200, "", ""), { ...decode, reason: "not-json" }],
    ["a 302", toLogin, { ...api, status: 302 }],
    ["a 405 in HTML", page(405), { ...api, status: 405, contentType: "text/html" }],
  ]),
  ...judged("never", "never", [
    ["a 408", 408, { ...api, status: 408 }],
    ["a 429", 429, { name: "ApiError", code: "rate_limited", status: 429 }],
    ["a 500", 500, { ...down, status: 500 }],
    ["a 503", 503, { ...down, status: 503 }],
    ["a 503 in HTML", page(503), { ...down, status: 503, contentType: "text/html" }],
    ["a broken network", offline, { name: "ConnectionError", code: "connection" }],
    ["a body that is cut off", cutOff, { name: "ConnectionError", status: 200 }],
    ["silence", silent, { name: "TimeoutError", code: "timeout" }],
  ]),
];

describe.each(rows)("after $name", ({ step, error, unseen, seen }) => {
  test.each([
    { end: unseen, who: "was never seen", before: [] },
    { end: seen, who: "was seen", before: ["processing"] },
  ])("the wait for a job that $who ends $end", async ({ end, before }) => {
    const options = { timeoutMs: 60_000, client: { maxResponseBytes: 1_000 } };
    const { polls, failed, settled } = await play([...before, step], options);
    const expected = { ...error, jobId: "job_1" };
    const isNever = end === "never";
    expect(polls.at(-1)).toBe(ends[end][before.length]);
    expect(settled.error).toMatchObject(
      isNever
        ? { name: "PollTimeoutError", code: "poll_timeout", cause: expected }
        : { ...expected, elapsedMs: polls.at(-1) },
    );
    expect(settled.error.attempts).toBe(polls.length);
    expect(settled.error.lastJob).toEqual(before[0] && { job_id: "job_1", status: before[0] });
    expect(settled.error.outcome).toBeUndefined();
    // The failure that ends the wait is thrown, and not passed to `onPollFailed`.
    expect(failed).toHaveLength(polls.length - before.length - (isNever ? 0 : 1));
    for (const one of failed) expect(one).toMatchObject(expected);
  });
});

const slow = [late(12_000, offline), 404];
const endedBy = (elapsedMs: number) => ({ error: { code: "not_found", elapsedMs } });
const inTime = [0, 1_000, 2_500, 4_750, 8_125, 10_000];

test.each<[string, ...PlayedRow]>([
  ["whatever the interval is", [404], { intervalMs: 25_000 }, [0, 10_000], endedBy(10_000)],
  ["whatever Retry-After says", [refused(404, 50), 404], {}, [0, 10_000], endedBy(10_000)],
  ["however long the first poll takes", slow, {}, [0, 13_000], endedBy(13_000)],
  ["but not if the job was seen in any state", ["paused", 404], {}, [0, 1_000], endedBy(1_000)],
  ["and the job may appear meanwhile", times(5, 404), {}, inTime],
])("a 404 is polled for 10 s and no more, %s", (_, ...row) => expectPlayed(...row));

test.each(["paused", "success", "COMPLETED", "completed ", "cancelled", "", "constructor"])(
  "the unknown status %j is never success, and ends in a PollTimeoutError",
  async (status) => {
    // A Retry-After of 0 causes no busy loop.
    const { polls, settled } = await play([seen(status, 0)], { timeoutMs: 5_000 });
    expect(polls).toEqual([0, 1_000, 2_500, 4_750, 5_000]);
    expect(settled.error).toMatchObject({ name: "PollTimeoutError", code: "poll_timeout" });
    expect(settled.error.lastJob).toEqual({ job_id: "job_1", status });
  },
);

test("on real sockets, a wait outlives every fault of the service and of the network", async () => {
  vi.useRealTimers();
  // A 429 that names no time would hold up the wait for a second.
  const passing = refusals.filter(({ name, isRepeated }) => isRepeated && name !== "a 429");
  const faults = [...lossesOf(200).filter(({ isSlow }) => !isSlow), ...passing];
  const answers = faults.map(({ answer }) => answer);
  const server = await listen(...answers, ended({ status: "completed" }));
  const failed: AnyAdGenError[] = [];
  const finished = await pollJob(clientOf(server), "job_1", {
    ...{ intervalMs: 1, maxIntervalMs: 2 },
    onPollFailed: (error) => failed.push(error),
  });
  expect(finished).toEqual({ job_id: "job_1", status: "completed" });
  expect(failed.map(({ code, status }) => [code, status])).toEqual(
    faults.map(({ error }) => [error.code, error.status]),
  );
});

test.each<[gives: string, give: () => unknown, problem: string]>([
  ["two lines", () => "sk-two\nlines", " gave a key that has a space, a line break or"],
  ["a failure", () => Promise.reject(new Error("vault is sealed")), " failed: vault is sealed"],
])("a key function that gives %s for some polls loses no paid job", async (_, give, problem) => {
  let calls = 0;
  const apiKey = () => (++calls < 2 || calls > 4 ? "sk-good" : give());
  const client = { apiKey } as ClientOptions;
  const { settled, failed, polls } = await play(["completed"], { submission: submitted(), client });
  expect(settled.value).toEqual({ job_id: "job_1", status: "completed" });
  expect(polls).toEqual([0, 4_750]);
  expect(failed).toHaveLength(3);
  for (const error of failed) {
    expect(error.message).toContain(
      `GET /v1/jobs/job_1 was not sent: the apiKey function${problem}`,
    );
    expect(error.outcome).toBeUndefined();
    expect(JSON.stringify(error)).not.toContain("two");
  }
});
