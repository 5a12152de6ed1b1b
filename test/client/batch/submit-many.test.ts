import {
  type AdGenClient,
  BadRequestError,
  type JobRequest,
  type SubmitManyOptions,
  submitMany,
} from "adgen-sdk";
import { expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { pause } from "../../helpers/client.ts";
import { useFakedTime } from "../../helpers/faked-time.ts";
import { late, passTime, pollOf, type Step, seen, success } from "../polling/scripted-client.ts";
import { collect } from "../polling/ways.ts";
import { accepted, adsOf, numberedAds, startBatch, submitAll } from "./batch-service.ts";

useFakedTime();

test.each([1, 3, 7])("submitMany keeps at most %i jobs open", async (maxOpenJobs) => {
  const service = startBatch();
  let [open, most] = [0, 0];
  const results: number[] = [];
  const requests = numberedAds(25);
  const options = { maxOpenJobs, onSubmitted: () => (most = Math.max(most, ++open)) };
  const reading = (async () => {
    for await (const { index } of submitMany(service.client, requests, options)) {
      open -= 1;
      results.push(index);
    }
  })();
  await passTime(600_000);
  await reading;
  expect(results.toSorted((one, other) => one - other)).toEqual(requests.map((_, i) => i));
  expect(most).toBe(Math.min(maxOpenJobs, 6 + 1));
  expect(service.posted).toHaveLength(25);
});

test("submitMany polls up to 20 jobs at once, however few submissions may be under way", async () => {
  let [underWay, max] = [0, 0];
  const slowPoll: Step = async (request) => {
    max = Math.max(max, ++underWay);
    const answer = await late(1_000, success({ status: "completed", result: "made" }))(request);
    underWay -= 1;
    return answer;
  };
  const ids = Array.from({ length: 30 }, (_, index) => [`job-${index}`, slowPoll]);
  const service = startBatch(Object.fromEntries(ids));
  const { given } = submitAll(service, numberedAds(30), { concurrency: 2 });
  await passTime(600_000);
  expect(given.filter(({ ok }) => ok)).toHaveLength(30);
  expect(max).toBe(20);
});

test("submitMany runs the whole batch when it is awaited, and gives the results in order", async () => {
  const service = startBatch();
  const batch = submitMany(service.client, numberedAds(7), { concurrency: 3 });
  const [once, twice] = [Promise.resolve(batch), Promise.resolve(batch)];
  await passTime(600_000);
  expect((await once).map(({ index, ok }) => [index, ok])).toEqual(
    Array.from({ length: 7 }, (_, index) => [index, true]),
  );
  expect(await twice).toEqual(await once);
  expect(service.posted).toHaveLength(7);
});

test("a batch that stops or is left gives up the requests that wait for a place", async () => {
  const service = startBatch({ 1: 402 });
  const { given } = submitAll(service, numberedAds(9), { maxOpenJobs: 2, concurrency: 2 });
  await passTime(10);
  expect(given.map(({ index, ok }) => [index, ok]).length).toBeGreaterThanOrEqual(8);
  expect(service.posted).toEqual(["0", "1"]);

  const other = startBatch();
  for await (const _ of submitMany(other.client, numberedAds(9), { maxOpenJobs: 1 })) break;
  // The place of the first job is free before its result is read.
  expect(other.posted.length).toBeLessThanOrEqual(2);
});

test("submitMany gives each result as it comes, and reports each step with its request's index", async () => {
  const jobOfSlow = [seen("processing", 1), success({ status: "failed", error: "no luck" })];
  const service = startBatch(
    {
      bad: late(10, 400),
      gone: late(20, accepted("gone")),
      "job-gone": 410,
      misfit: late(30, accepted("misfit")),
      "job-slow": (request) => pollOf(jobOfSlow.shift() ?? 500)(request),
    },
    { schemas: { results: { "generate-ad": z.string(), "edit-ad": z.number() } } },
  );
  const misfit = { action: "edit-ad", prompt: "misfit" } as const;
  const print = vi.spyOn(console, "error").mockImplementation(() => {});
  const bug = new Error("the disk is full");
  const told: unknown[] = [];
  const requests = [...adsOf("slow", "bad", "gone"), misfit, ...adsOf("quick")];
  const { submissions, given } = submitAll(service, requests, {
    onSubmitted: ({ job_id, status }, index) => {
      told.push([job_id, status, index]);
      throw bug;
    },
    onSubmitFailed: ({ code }, index) => told.push([code, index]),
    onUpdate: ({ status }, { polls }, index) => told.push([status, polls, index]),
  });
  await vi.runAllTimersAsync();

  const [jobId, gone] = ["job-slow", "job-gone"];
  const failure = (fields: object) => ({ ok: false, error: expect.objectContaining(fields) });
  const made = { job_id: "job-quick", status: "completed", result: "made" };
  const lastJob = { ...made, job_id: "job-misfit" };
  expect(given).toEqual([
    { at: 0, index: 4, jobId: "job-quick", ok: true, data: made },
    { at: 10, index: 1, ...failure({ code: "bad_request", outcome: "refused" }) },
    { at: 20, index: 2, jobId: gone, ...failure({ status: 410, jobId: gone }) },
    { at: 30, index: 3, jobId: "job-misfit", ...failure({ code: "decode", lastJob }) },
    {
      ...{ at: 1_000, index: 0, jobId, ok: true },
      data: { job_id: jobId, status: "failed", error: "no luck" },
    },
  ]);
  expect(given[2].error.outcome).toBeUndefined();
  expect(print.mock.calls).toEqual(Array(4).fill(["adgen-sdk: onSubmitted failed", bug]));
  expect(told).toEqual([
    ["job-slow", "queued", 0],
    ["job-quick", "queued", 4],
    ["processing", 1, 0],
    ["completed", 1, 4],
    ["bad_request", 1],
    ["job-gone", "queued", 2],
    ["job-misfit", "queued", 3],
    ["failed", 2, 0],
  ]);
  expect([...submissions.submitted]).toEqual(
    [0, 4, 2, 3].map((index) => {
      const job_id = `job-${requests[index]?.prompt}`;
      return [index, { job_id, status: "queued" }];
    }),
  );
});

test("submitMany sends nothing before the first next(), and nothing for an empty list", async () => {
  const { client, posted } = startBatch();
  const results = submitMany(client, adsOf("a"));
  await passTime(60_000);
  await results.return();
  expect(await collect(results)).toEqual([]);
  expect(await collect(submitMany(client, []))).toEqual([]);
  expect(posted).toEqual([]);
});

test.each([
  [6, {}],
  [1, { concurrency: 1 }],
  [2, { concurrency: 2 }],
  [12, { concurrency: 100 }],
])("submitMany has %i of 12 submissions under way at once with %j", async (...row) => {
  const [limit, options] = row;
  const service = startBatch({}, { latencyMs: 20 });
  const { given } = submitAll(service, numberedAds(12), options);
  await vi.runAllTimersAsync();
  expect(given).toMatchObject(Array(12).fill({ ok: true }));
  expect(service.requests.flatMap(({ isPost, at }) => (isPost ? [at] : []))).toEqual(
    given.map((_, index) => 20 * Math.floor(index / limit)),
  );
});

test("submitMany ends at once by a foreign error, also while the loop is busy, and throws it as it is", async () => {
  const bug = new TypeError("somebody's wrapper");
  const refusal = new BadRequestError("bad_request", "bad prompt");
  const submit = vi
    .fn(() => pause(5).then(() => Promise.reject(refusal)))
    .mockRejectedValueOnce(refusal)
    .mockRejectedValueOnce(bug);
  const client = { jobs: { submit, get: () => Promise.reject(bug) } };
  const results = submitMany(client, numberedAds(50), { concurrency: 2 });
  expect((await results.next()).value).toMatchObject({ index: 0, ok: false });
  await passTime(60);
  expect(submit.mock.calls.length).toBeLessThanOrEqual(3);
  await expect(results.next()).rejects.toBe(bug);
});

test("submitMany reads its requests and its options once, at the call", async () => {
  const { client, posted } = startBatch();
  let reads = 0;
  const prompt = { enumerable: true, get: () => `read ${++reads}` };
  const requests = adsOf("", "as it was");
  Object.defineProperty(requests[0], "prompt", prompt);
  const options: SubmitManyOptions = { timeoutMs: 5_000 };
  const results = submitMany(client, requests, options);
  Object.assign(requests[1] ?? {}, { prompt: "changed" });
  requests.push({ action: "generate-ad", prompt: "late" });
  Object.assign(options, { timeoutMs: -1, onUpdate: "log" });
  expect(await collect(results)).toMatchObject([{ ok: true }, { ok: true }]);
  expect(posted.toSorted()).toEqual(["as it was", "read 1"]);
});

test("submitMany takes any iterable, and as many requests as the limits allow", async () => {
  const { client, posted } = startBatch();
  const requests = new Set([
    { action: "generate-ad", prompt: "a", variations: 4 },
    { action: "edit-ad", prompt: "b" },
    { action: "video-a-2", prompt: "c" },
  ] as const);
  await collect(submitMany(client, requests, { maxJobs: 3, maxImageCredits: 5 }));
  expect(posted.toSorted()).toEqual(["a", "b", "c"]);
});

/** Returns the error that a call throws synchronously. */
const thrownBy = (call: () => unknown): unknown => {
  try {
    return expect.fail(`It gave ${call()}`);
  } catch (error) {
    return error;
  }
};

const endlessAds = function* () {
  for (;;) yield* numberedAds(1);
};
const copies = (variations: unknown, action = "generate-ad") => ({ action, variations });
const manyKinds = [
  ...[copies(4), copies(undefined, "image-a-pro"), { action: "video-a-2", duration: 60 }],
  ...[copies(10, "generate-ad-copy"), copies(10, "edit-ad")],
];
const takesList =
  "submitMany takes a client first, and then a list of requests (for one request: " +
  "jobs.submitAndPoll), got ";
const cannotCount = "maxImageCredits cannot count the credits of requests[1]: its ";
const tooMany = "submitMany got more requests than maxJobs (3): nothing was sent";
const tooDear =
  "submitMany got requests for 15 image credits, more than maxImageCredits (14): nothing was sent";
const unknownAction =
  `${cannotCount}action is "generate-poster", expected one of copy-ad, generate-ad, edit-ad, ` +
  "generate-ad-copy, image-a-2, image-a-pro, video-a-2, video-a-2-pro, video-b-3-0";
const posters = [copies(1), { action: "generate-poster" }];
const negative = `${cannotCount}variations is -9, expected a whole number from 1`;
const noClient = "submitMany takes a client first, and then a list of requests; got an object";

test.each<[message: string, options: object, requests?: unknown, client?: unknown]>([
  [tooMany, { maxJobs: 3 }, endlessAds()],
  [tooDear, { maxImageCredits: 14 }, manyKinds],
  [unknownAction, { maxImageCredits: 14 }, posters],
  [negative, { maxImageCredits: 5 }, [copies(10), copies(-9)]],
  ['requests[1] cannot be sent: "variations" is NaN', {}, [copies(1), copies(Number.NaN)]],
  [
    'requests[1] must be an object such as { action: "generate-ad" }, got undefined',
    {},
    [copies(1), undefined],
  ],
  [
    'requests[1] holds "once", an option of the call: it belongs in the second argument',
    {},
    [copies(1), { ...copies(1), once: "order-1" }],
  ],
  [`${takesList}an object`, {}, copies(1)],
  [`${takesList}"generate-ad"`, {}, "generate-ad"],
  [noClient, {}, numberedAds(1), { jobs: { get: async () => ({}) } }],
  ["maxJobs must be a whole number of 1 or more, got 0.5", { maxJobs: 0.5 }],
  ["maxImageCredits must be a number of 0 or more, got NaN", { maxImageCredits: Number.NaN }],
  ["concurrency must be a whole number from 1 to 100, got 0", { concurrency: 0 }],
  ["stopAfterFailures must be a whole number of 1 or more, got 0", { stopAfterFailures: 0 }],
  ["timeoutMs must be a number of milliseconds from 0 to 2147483647, got -1", { timeoutMs: -1 }],
  ['onSubmitted must be a function, got "log"', { onSubmitted: "log" }],
])("submitMany refuses: %s", async (message, options, requests = adsOf("a"), wrongClient) => {
  const { client, posted } = startBatch();
  const error = thrownBy(() =>
    submitMany((wrongClient as AdGenClient) ?? client, requests as JobRequest[], options),
  );
  const refusal = { name: "InvalidRequestError", code: "invalid_request", outcome: "not-sent" };
  expect(error).toMatchObject({ ...refusal, message });
  expect(posted).toEqual([]);
});
