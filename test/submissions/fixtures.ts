import { afterEach, beforeEach, expect, vi } from "vitest";
import type { Doubt } from "../../src/client/errors/doubt.ts";
import { makeError } from "../../src/client/errors/make-error.ts";
import type { PaidCall, SendPaid } from "../../src/client/options/submissions.ts";
import { createSubmissionsWith } from "../../src/submissions/create-submissions.ts";
import { createMemoryStoreWith } from "../../src/submissions/store/memory-store.ts";
import type { RecordStore } from "../../src/submissions/store/record-store.ts";
import type { SubmissionsOptions } from "../../src/submissions/submissions-options.ts";
import { createProcess, createRandom, createTime, type Time } from "./virtual-world.ts";

export const paid = {
  method: "jobs.submit",
  body: { action: "generate-ad", prompt: "Summer" },
  timeoutMs: 60_000,
} as const satisfies Omit<PaidCall, "once">;
export const order = { ...paid, once: "order-17" };
export const order18 = { ...paid, once: "order-18" };

/** Length of the lease of a call with a timeout of a minute, in milliseconds. */
export const leaseMs = 70_000;

/** Virtual time of the running test, the store that its processes share, and two processes. */
export let virtualTime: Time;
export let sharedStore: RecordStore;
export let here: Opened;
export let there: Opened;
/** Number of requests that left. */
export let sentCount = 0;

export const resetFixtures = (): void => {
  virtualTime = createTime();
  sharedStore = createMemoryStoreWith(virtualTime.now);
  sentCount = 0;
  here = openProcess();
  there = openProcess();
};

/** Gives each test of a file its own virtual time, store and processes. */
export const useFixtures = (): void => {
  beforeEach(() => {
    resetFixtures();
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
};

/** Lets time pass until a promise is fulfilled or rejected, for at most an hour. */
export const advanceUntilDone = async <T>(work: Promise<T>): Promise<T> => {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  work.then(end, end);
  await virtualTime.runUntil(virtualTime.now() + 3_600_000, () => isOver);
  return work;
};

export const advance = (ms: number): Promise<void> => virtualTime.runUntil(virtualTime.now() + ms);

/** Returns the error of a promise, or its value as `{ resolved }`. */
export const outcomeOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    return { resolved: await work };
  } catch (error) {
    return error;
  }
};

const calm = () => ({ crash: 0, suspend: 0 });

const advancing =
  <Given extends unknown[], T>(act: (...given: Given) => Promise<T>) =>
  (...given: Given): Promise<T> =>
    advanceUntilDone(act(...given));

/** Opens the store in a new process. All methods but `start` let time pass until they end. */
export const openProcess = (options?: SubmissionsOptions) => {
  // The monotonic clock of this process stops while the process is suspended.
  const process = createProcess(virtualTime, createRandom(1), calm, true);
  /** This process's own store object, whose methods a test may replace to make them fail. */
  const own = { ...sharedStore };
  const submissions = createSubmissionsWith(process.clock, own, options);
  const list = advancing(submissions.listOpen);
  const submit = advancing(submissions.runOnce);
  return {
    ...{ process, store: own, submissions, list, submit },
    start: submissions.runOnce,
    decide: advancing(submissions.decide),
    find: advancing(submissions.find),
    /** Submits a call whose answer is lost, and returns its doubt. */
    lose: async (call: PaidCall): Promise<Doubt> => {
      await outcomeOf(submit(call, loseAnswer));
      const doubt = (await list()).unknown.at(-1);
      if (doubt === undefined) throw new Error("The submission is not in doubt");
      return doubt;
    },
  };
};

export type Opened = ReturnType<typeof openProcess>;

/** Returns a `send` that ends in this way after a time, in milliseconds. */
export const endWith =
  (end: Awaited<ReturnType<SendPaid>> | Error, ms = 10): SendPaid =>
  async () => {
    sentCount++;
    await virtualTime.wait(ms);
    if (end instanceof Error) throw end;
    return end;
  };
export const answerOf = (jobId: string) => ({ job_id: jobId, status: "queued" });
export const answerWith = (jobId: string, ms?: number): SendPaid =>
  endWith({ answer: answerOf(jobId), jobId }, ms);
export const lostError = makeError("connection", "reset", { outcome: "unknown" });
export const loseAnswer = endWith(lostError);
export const refusedError = makeError("payment_required", "none left", { outcome: "refused" });
export const refuseCall = endWith(refusedError);
export const neverAnswer: SendPaid = () => {
  sentCount++;
  return new Promise(() => {});
};

/** Matches an `invalid_request` error by a part of its message. */
export const refusal = (part: string) => ({
  code: "invalid_request",
  message: expect.stringContaining(part),
});

/** Fails like a store whose disk is full. */
export const failAsFull = (): Promise<never> => Promise.reject(new Error("disk full"));

/** Sends after the store of the process has begun to fail. */
export const withFullStore =
  (one: Opened, send: SendPaid): SendPaid =>
  (turn) => {
    one.store.swap = failAsFull;
    return send(turn);
  };
