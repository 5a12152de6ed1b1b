import { type JobRequest, type SubmitManyOptions, submitMany } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { adsOf, collect, numberedAds, startBatchService } from "./batch-service.ts";

const refusal = (message: string) =>
  expect.objectContaining({
    name: "InvalidRequestError",
    code: "invalid_request",
    outcome: "not-sent",
    message,
  });

/** The error that is thrown at the call. */
const thrownBy = (call: () => unknown): unknown => {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error("It did not throw");
};

const untyped = (requests: unknown): JobRequest[] => requests as JobRequest[];

describe("submitMany refuses at the call, before anything is sent,", () => {
  test.each<[string, unknown, SubmitManyOptions, string]>([
    [
      "more requests than maxJobs",
      numberedAds(4),
      { maxJobs: 3 },
      "submitMany got 4 requests, more than maxJobs (3): nothing was sent",
    ],
    [
      "requests for more than maxImageCredits",
      [
        { action: "generate-ad", variations: 4 },
        { action: "image-a-pro" },
        { action: "video-a-2", duration: 60 },
        { action: "generate-ad-copy", variations: 10 },
        { action: "edit-ad", variations: 10 },
      ],
      { maxImageCredits: 14 },
      "submitMany got requests for 15 image credits, more than maxImageCredits (14): nothing was sent",
    ],
    [
      "an action whose credits it cannot count",
      [{ action: "generate-ad" }, { action: "generate-poster" }],
      { maxImageCredits: 14 },
      "maxImageCredits cannot count the credits of requests[1]: its action is " +
        '"generate-poster", expected one of copy-ad, generate-ad, edit-ad, generate-ad-copy, ' +
        "image-a-2, image-a-pro, video-a-2, video-a-2-pro, video-b-3-0",
    ],
    [
      "variations that would make the sum smaller",
      [
        { action: "generate-ad", variations: 10 },
        { action: "edit-ad", variations: -9 },
      ],
      { maxImageCredits: 5 },
      "maxImageCredits cannot count the credits of requests[1]: its variations is -9, " +
        "expected a whole number from 1",
    ],
    [
      "a request that cannot be sent",
      [{ action: "generate-ad" }, { action: "generate-ad", variations: Number.NaN }],
      {},
      "requests[1].variations cannot be sent: it is NaN",
    ],
    [
      "a request that is none",
      [{ action: "generate-ad" }, undefined],
      {},
      "requests[1] must be an object, got undefined",
    ],
    [
      "one request in the list's place",
      { action: "generate-ad" },
      {},
      "submitMany takes a client first, and then a list of requests (for one request: " +
        "jobs.submitAndPoll), got an object",
    ],
    [
      "a text in the list's place",
      "generate-ad",
      {},
      "submitMany takes a client first, and then a list of requests (for one request: " +
        'jobs.submitAndPoll), got "generate-ad"',
    ],
    [
      "half a job",
      adsOf("a"),
      { maxJobs: 0.5 },
      "maxJobs must be a whole number of 1 or more, got 0.5",
    ],
    [
      "a limit that is none",
      adsOf("a"),
      { maxImageCredits: Number.NaN },
      "maxImageCredits must be a number of 0 or more, got NaN",
    ],
    [
      "no concurrency",
      adsOf("a"),
      { concurrency: 0 },
      "concurrency must be a whole number from 1 to 100, got 0",
    ],
    [
      "no failures",
      adsOf("a"),
      { stopAfterFailures: 0 },
      "stopAfterFailures must be a whole number of 1 or more, got 0",
    ],
    [
      "a bad option of the waits",
      adsOf("a"),
      { timeoutMs: -1 },
      "timeoutMs must be a number of milliseconds from 0 to 2147483647, got -1",
    ],
    [
      "an observer that is none",
      adsOf("a"),
      { onSubmitted: "log" as never },
      'onSubmitted must be a function, got "log"',
    ],
  ])("%s", async (_, requests, options, message) => {
    const { client, posted } = await startBatchService();
    const error = thrownBy(() => submitMany(client, untyped(requests), options));
    expect(error).toEqual(refusal(message));
    expect(posted).toEqual([]);
  });

  test("a client that cannot submit", () => {
    const jobs = { get: async () => ({}) as never };
    const error = thrownBy(() => submitMany({ jobs } as never, adsOf("a")));
    const message = "submitMany takes a client first, and then a list of requests; got an object";
    expect(error).toEqual(refusal(message));
  });

  test("a list that throws midway, with its own error", async () => {
    const { client, posted } = await startBatchService();
    const bug = new Error("the cursor was lost");
    const requests = function* () {
      yield* adsOf("a", "b");
      throw bug;
    };
    expect(thrownBy(() => submitMany(client, requests()))).toBe(bug);
    expect(posted).toEqual([]);
  });
});

describe("submitMany reads its requests", () => {
  test("once, at the call: later changes have no effect", async () => {
    const { client, posted } = await startBatchService();
    let reads = 0;
    const requests = [
      {
        action: "generate-ad" as const,
        get prompt() {
          return `read ${++reads}`;
        },
      },
      { action: "generate-ad" as const, prompt: "as it was" },
    ];
    const results = submitMany(client, requests);
    Object.assign(requests[1] ?? {}, { prompt: "changed" });
    requests.push({ action: "generate-ad", prompt: "late" });
    expect(await collect(results)).toHaveLength(2);
    expect(posted.toSorted()).toEqual(["as it was", "read 1"]);
  });

  test("and its options once too", async () => {
    const { client, posted } = await startBatchService();
    const options: SubmitManyOptions = { timeoutMs: 5_000 };
    const results = submitMany(client, adsOf("a"), options);
    Object.assign(options, { timeoutMs: -1, onUpdate: "log" });
    expect(await collect(results)).toMatchObject([{ ok: true }]);
    expect(posted).toEqual(["a"]);
  });

  test("from anything that can be iterated", async () => {
    const { client, posted } = await startBatchService();
    await collect(submitMany(client, new Set(adsOf("a", "b"))));
    expect(posted.toSorted()).toEqual(["a", "b"]);
  });

  test("and allows as many as the limits say", async () => {
    const { client, posted } = await startBatchService();
    const requests = [
      { action: "generate-ad", prompt: "a", variations: 4 },
      { action: "edit-ad", prompt: "b" },
      { action: "video-a-2", prompt: "c" },
    ] as const;
    const results = submitMany(client, requests, { maxJobs: 3, maxImageCredits: 5 });
    expect(await collect(results)).toHaveLength(3);
    expect(posted).toHaveLength(3);
  });
});
