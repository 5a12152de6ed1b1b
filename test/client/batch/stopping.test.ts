import { getEventListeners } from "node:events";
import { markAsNotSent, submitMany } from "adgen-sdk";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { expectNoTimers, useFakedTime } from "../../helpers/faked-time.ts";
import {
  late,
  offline,
  page,
  passTime,
  refused,
  type Step,
  seen,
  silent,
  watchPromise,
} from "../polling/scripted-client.ts";
import { accepted, adsOf, numberedAds, startBatch, submitAll } from "./batch-service.ts";

useFakedTime();

const oneByOne = { concurrency: 1 };

/** The end of a submission that fails. A failure of its own request alone stops nothing. */
type End = readonly [
  answer: Step,
  error: { readonly name?: string; readonly code: string; readonly reason?: string },
  outcome: "refused" | "unknown" | "not-sent",
  stops?: "at once" | "in a row",
];

const unsent: Step = () => Promise.reject(markAsNotSent(new Error("offline")));
const unauthorized = { name: "UnauthorizedError", code: "unauthorized" };
const noCredits = { name: "PaymentRequiredError", code: "payment_required" };
const unreadable = { code: "decode", reason: "not-json" };

/** The ends by the prompts of their submissions. */
const ends: Record<string, End> = {
  "bad request": [400, { code: "bad_request" }, "refused"],
  "not found": [404, { code: "not_found" }, "refused"],
  unauthorized: [401, unauthorized, "refused", "at once"],
  "no credits": [402, noCredits, "refused", "at once"],
  lost: [offline, { code: "connection" }, "unknown", "in a row"],
  broken: [500, { code: "server_error" }, "unknown", "in a row"],
  unreadable: [page(202), unreadable, "unknown", "in a row"],
  limited: [refused(429, 600), { code: "rate_limited" }, "refused", "in a row"],
  offline: [unsent, { code: "connection" }, "not-sent", "in a row"],
};

/** Finds the submission after which nothing more may be sent, and the reason in words. */
const findStop = (prompts: readonly string[], stopAfterFailures = 3) => {
  let failures = 0;
  for (const [index, prompt] of prompts.entries()) {
    const name = `requests[${index}]`;
    const [, , , stops] = ends[prompt] ?? [];
    if (stops === "at once") return { index, why: `${name} was refused` };
    failures = stops === "in a row" ? failures + 1 : 0;
    if (failures < stopAfterFailures) continue;
    return {
      index,
      why: failures === 1 ? `${name} failed` : `${failures} in a row, ${name} last, failed`,
    };
  }
  return { index: prompts.length, why: "" };
};

test("a batch stops at a 401 or a 402, or after shared failures in a row, and for nothing else", async () => {
  const answers = Object.entries(ends).map(([prompt, [answer]]) => [prompt, answer] as const);
  const service = startBatch(Object.fromEntries(answers), { maxRetries: 0 });
  const { posted, polls } = service;

  const check = async (prompts: string[], stopAfterFailures?: number) => {
    posted.length = 0;
    polls.length = 0;
    const options = { ...oneByOne, stopAfterFailures };
    const { given } = submitAll(service, adsOf(...prompts), options);
    await vi.runAllTimersAsync();
    const results = given.toSorted((one, other) => one.index - other.index);
    const stop = findStop(prompts, stopAfterFailures);
    const sent = prompts.slice(0, stop.index + 1);
    expect(posted).toEqual(sent);
    expect(polls).toEqual(sent.filter((prompt) => prompt === "good").map(() => "job-good"));
    const cause = results[stop.index]?.error;
    for (const [index, result] of results.entries()) {
      const [, error, outcome] = ends[sent[index] ?? sent.at(-1) ?? ""] ?? [];
      if (index <= stop.index) {
        if (error) expect(result.error).toMatchObject({ ...error, outcome });
        else expect(result).toMatchObject({ ok: true, jobId: "job-good" });
        continue;
      }
      const message = `requests[${index}] was not sent, because ${stop.why} (${cause?.message})`;
      expect(result.error).toMatchObject({ ...error, outcome: "not-sent", message });
      expect(result.error?.cause).toBe(cause);
      expect(result.error).not.toHaveProperty("status");
      expect(result.jobId).toBeUndefined();
    }
    expect(results).toHaveLength(prompts.length);
  };
  const prompt = fc.constantFrom("good", "good", "lost", "broken", ...Object.keys(ends));
  const prompts = fc.array(prompt, { minLength: 1, maxLength: 9 });
  const stopAfter = fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined });
  await fc.assert(fc.asyncProperty(prompts, stopAfter, check), { numRuns: 60 });
  for (const last of Object.keys(ends)) await check(["good", last, last, last, last]);
});

test("a batch that stops gives at once what was not sent, and waits for what was sent", async () => {
  const { signal } = new AbortController();
  const service = startBatch({
    "0": late(10, 402),
    "1": late(50, accepted("1")),
    "job-1": late(100, "completed"),
  });
  const { given } = submitAll(service, numberedAds(9), { concurrency: 2, signal });
  await vi.runAllTimersAsync();
  expect(given.map(({ at, index, ok }) => [at, index, ok])).toEqual([
    ...[0, 2, 3, 4, 5, 6, 7, 8].map((index) => [10, index, false]),
    [150, 1, true],
  ]);
  expect(service.posted).toEqual(["0", "1"]);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("an abort of a batch ends submissions and waits, sends nothing more, and names every request", async () => {
  const service = startBatch({ "job-0": silent, "1": silent });
  const controller = new AbortController();
  const { signal } = controller;
  const { given } = submitAll(service, numberedAds(4), { ...oneByOne, signal });
  await passTime(500);
  controller.abort("enough");
  await passTime(0);
  const aborted = { name: "AbortError", code: "aborted", cause: "enough" };
  const notSent = { ...aborted, outcome: "not-sent" };
  expect(given.toSorted((one, other) => one.index - other.index)).toMatchObject([
    { at: 500, index: 0, jobId: "job-0", error: aborted },
    { at: 500, index: 1, error: { ...aborted, outcome: "unknown" } },
    { at: 500, index: 2, error: notSent },
    {
      ...{ at: 500, index: 3 },
      error: { ...notSent, message: "requests[3] was not sent, because the signal was aborted" },
    },
  ]);
  await passTime(60_000);
  expect(service.posted).toEqual(["0", "1"]);
  expect(service.polls).toEqual(["job-0"]);
  expect(getEventListeners(signal, "abort")).toEqual([]);
  await expectNoTimers();
});

test("a batch aborted before the first next() sends nothing at all", async () => {
  const service = startBatch();
  const { given } = submitAll(service, adsOf("a", "b"), { signal: AbortSignal.abort("no") });
  await passTime(0);
  const error = { code: "aborted", outcome: "not-sent", cause: "no" };
  expect(given).toMatchObject([{ error }, { error }]);
  expect(service.requests).toEqual([]);
});

test.each<[string, Step, number, unknown[]]>([
  ["is answered", late(50, accepted("last")), 50, ["job-last", 2]],
  ["fails afterwards", late(50, offline), 50, ["connection", "unknown", 2]],
  ["is aborted by the signal", silent, 30, ["aborted", "unknown", 2]],
])("leaving a batch ends its waits, and reports a submission that %s", async (...row) => {
  const [, last, overAt, toldLast] = row;
  const [slow, quick] = [seen("processing", 1), late(10, "completed")];
  const service = startBatch({ "job-slow": slow, "job-quick": quick, last });
  const controller = new AbortController();
  const told: unknown[] = [];
  const submissions = submitMany(service.client, adsOf("slow", "quick", "last", "never"), {
    ...oneByOne,
    signal: controller.signal,
    onSubmitted: ({ job_id }, index) => told.push([job_id, index]),
    onSubmitFailed: ({ code, outcome }, index) => told.push([code, outcome, index]),
  });
  const leave = async () => {
    for await (const { jobId } of submissions) return jobId;
  };
  const left = watchPromise(leave(), service.now);
  await passTime(30);
  expect(left).toEqual({});
  if (last === silent) controller.abort();
  await passTime(60_000);
  expect(left).toEqual({ at: overAt, value: "job-quick" });
  expect(told).toEqual([["job-slow", 0], ["job-quick", 1], toldLast]);
  const isKnown = toldLast[0] === "job-last";
  expect([...submissions.submitted.keys()]).toEqual(isKnown ? [0, 1, 2] : [0, 1]);
  expect(service.posted).toEqual(["slow", "quick", "last"]);
  expect(service.polls).toEqual(["job-slow", "job-quick"]);
});
