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

/** Longer than the lease of a call of a minute. */
export const leaseMs = 70_000;

/** Time of the test that runs, the one store of its processes, and two of them. */
export let virtualTime: Time;
export let sharedStore: RecordStore;
export let here: Opened;
export let there: Opened;
/** Number of the requests that left. */
export let sentCount = 0;

export const resetFixtures = (): void => {
  virtualTime = createTime();
  sharedStore = createMemoryStoreWith(virtualTime.now);
  sentCount = 0;
  here = openProcess();
  there = openProcess();
};

/** Gives each test of a file a story of its own, in virtual time. */
export const useFixtures = (): void => {
  beforeEach(() => {
    resetFixtures();
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
};

/** Lets time pass until a promise settles, for at most an hour. */
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

/** Gives the error that a promise rejects with. */
export const outcomeOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    return { resolved: await work };
  } catch (error) {
    return error;
  }
};

const calm = () => ({ crash: 0, suspend: 0 });

const played =
  <Given extends unknown[], T>(act: (...given: Given) => Promise<T>) =>
  (...given: Given): Promise<T> =>
    advanceUntilDone(act(...given));

/** Opens the store in a process of its own. Its calls let time pass until they end, `start` does not. */
export const openProcess = (options?: SubmissionsOptions) => {
  // Its monotonic clock stands still while it sleeps.
  const process = createProcess(virtualTime, createRandom(1), calm, true);
  /** Its way to the store, which a test may break. */
  const own = { ...sharedStore };
  const submissions = createSubmissionsWith(process.clock, own, options);
  const list = played(submissions.listOpen);
  const submit = played(submissions.runOnce);
  return {
    ...{ process, store: own, submissions, list, submit },
    start: submissions.runOnce,
    decide: played(submissions.decide),
    find: played(submissions.find),
    /** Leaves the doubt of a submission whose answer is lost, and gives it. */
    lose: async (call: PaidCall): Promise<Doubt> => {
      await outcomeOf(submit(call, loseAnswer));
      const doubt = (await list()).unknown.at(-1);
      if (doubt === undefined) throw new Error("There is no doubt");
      return doubt;
    },
  };
};

export type Opened = ReturnType<typeof openProcess>;

/** Sends one request that ends so, after a time. */
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

/** An error about what a caller gave, with a part of its message. */
export const refusal = (part: string) => ({
  code: "invalid_request",
  message: expect.stringContaining(part),
});

/** A store that takes nothing. */
export const failAsFull = (): Promise<never> => Promise.reject(new Error("disk full"));

/** Sends when the store of the process has begun to take nothing. */
export const withFullStore =
  (one: Opened, send: SendPaid): SendPaid =>
  (turn) => {
    one.store.swap = failAsFull;
    return send(turn);
  };
