import { type JobRequest, type SubmitManyOptions, submitMany } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { collect } from "../polling/ways.ts";
import { adsOf, numberedAds, startBatch } from "./batch-service.ts";

const refusal = (message: string) =>
  expect.objectContaining({
    ...{ name: "InvalidRequestError", code: "invalid_request", outcome: "not-sent", message },
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

describe("submitMany refuses at the call, before anything is sent:", () => {
  const copies = (variations: unknown, action = "generate-ad") => ({ action, variations });
  const manyKinds = [
    ...[copies(4), copies(undefined, "image-a-pro"), { action: "video-a-2", duration: 60 }],
    ...[copies(10, "generate-ad-copy"), copies(10, "edit-ad")],
  ];
  const takesList =
    "submitMany takes a client first, and then a list of requests (for one request: " +
    "jobs.submitAndPoll), got ";
  const cannotCount = "maxImageCredits cannot count the credits of requests[1]: its ";

  test.each<[message: string, options: object, requests?: unknown]>([
    [
      "submitMany got 4 requests, more than maxJobs (3): nothing was sent",
      { maxJobs: 3 },
      numberedAds(4),
    ],
    [
      "submitMany got requests for 15 image credits, more than maxImageCredits (14): nothing was sent",
      { maxImageCredits: 14 },
      manyKinds,
    ],
    [
      `${cannotCount}action is "generate-poster", expected one of copy-ad, generate-ad, edit-ad, ` +
        "generate-ad-copy, image-a-2, image-a-pro, video-a-2, video-a-2-pro, video-b-3-0",
      { maxImageCredits: 14 },
      [copies(1), { action: "generate-poster" }],
    ],
    [
      `${cannotCount}variations is -9, expected a whole number from 1`,
      { maxImageCredits: 5 },
      [copies(10), copies(-9)],
    ],
    ["requests[1].variations cannot be sent: it is NaN", {}, [copies(1), copies(Number.NaN)]],
    ["requests[1] must be an object, got undefined", {}, [copies(1), undefined]],
    [`${takesList}an object`, {}, copies(1)],
    [`${takesList}"generate-ad"`, {}, "generate-ad"],
    ["maxJobs must be a whole number of 1 or more, got 0.5", { maxJobs: 0.5 }],
    ["maxImageCredits must be a number of 0 or more, got NaN", { maxImageCredits: Number.NaN }],
    ["concurrency must be a whole number from 1 to 100, got 0", { concurrency: 0 }],
    ["stopAfterFailures must be a whole number of 1 or more, got 0", { stopAfterFailures: 0 }],
    ["timeoutMs must be a number of milliseconds from 0 to 2147483647, got -1", { timeoutMs: -1 }],
    ['onSubmitted must be a function, got "log"', { onSubmitted: "log" }],
  ])("%s", async (message, options, requests = adsOf("a")) => {
    const { client, posted } = startBatch();
    const error = thrownBy(() => submitMany(client, requests as JobRequest[], options));
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
    const { client, posted } = startBatch();
    const bug = new Error("the cursor was lost");
    const requests = function* () {
      yield* adsOf("a", "b");
      throw bug;
    };
    expect(thrownBy(() => submitMany(client, requests()))).toBe(bug);
    expect(posted).toEqual([]);
  });
});

describe("submitMany", () => {
  test("reads its requests and its options once, at the call: later changes have no effect", async () => {
    const { client, posted } = startBatch();
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
    const options: SubmitManyOptions = { timeoutMs: 5_000 };
    const results = submitMany(client, requests, options);
    Object.assign(requests[1] ?? {}, { prompt: "changed" });
    requests.push({ action: "generate-ad", prompt: "late" });
    Object.assign(options, { timeoutMs: -1, onUpdate: "log" });
    expect(await collect(results)).toMatchObject([{ ok: true }, { ok: true }]);
    expect(posted.toSorted()).toEqual(["as it was", "read 1"]);
  });

  test("takes anything that can be iterated, and as many as the limits say", async () => {
    const { client, posted } = startBatch();
    const requests = new Set([
      { action: "generate-ad", prompt: "a", variations: 4 },
      { action: "edit-ad", prompt: "b" },
      { action: "video-a-2", prompt: "c" },
    ] as const);
    await collect(submitMany(client, requests, { maxJobs: 3, maxImageCredits: 5 }));
    expect(posted.toSorted()).toEqual(["a", "b", "c"]);
  });
});
