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
export let time: Time;
export let store: RecordStore;
export let here: Opened;
export let there: Opened;
/** Number of the requests that left. */
export let sent = 0;

export const startStory = (): void => {
  time = createTime();
  store = createMemoryStoreWith(time.now);
  sent = 0;
  here = open();
  there = open();
};

/** Gives each test of a file a story of its own, in virtual time. */
export const useStories = (): void => {
  beforeEach(() => {
    startStory();
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
};

/** Lets time pass until a promise settles, for at most an hour. */
export const play = async <T>(work: Promise<T>): Promise<T> => {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  work.then(end, end);
  await time.runUntil(time.now() + 3_600_000, () => isOver);
  return work;
};

export const pass = (ms: number): Promise<void> => time.runUntil(time.now() + ms);

/** Gives the error that a promise rejects with. */
export const failure = async (work: Promise<unknown>): Promise<unknown> => {
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
    play(act(...given));

/** Opens the store in a process of its own. Its calls let time pass until they end, `start` does not. */
export const open = (options?: SubmissionsOptions) => {
  // Its monotonic clock stands still while it sleeps.
  const process = createProcess(time, createRandom(1), calm, true);
  /** Its way to the store, which a test may break. */
  const own = { ...store };
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
      await failure(submit(call, lost));
      const doubt = (await list()).unknown.at(-1);
      if (doubt === undefined) throw new Error("There is no doubt");
      return doubt;
    },
  };
};

export type Opened = ReturnType<typeof open>;

/** Sends one request that ends so, after a time. */
export const ends =
  (end: Awaited<ReturnType<SendPaid>> | Error, ms = 10): SendPaid =>
  async () => {
    sent++;
    await time.wait(ms);
    if (end instanceof Error) throw end;
    return end;
  };
export const answerOf = (jobId: string) => ({ job_id: jobId, status: "queued" });
export const answers = (jobId: string, ms?: number): SendPaid =>
  ends({ answer: answerOf(jobId), jobId }, ms);
export const lostError = makeError("connection", "reset", { outcome: "unknown" });
export const lost = ends(lostError);
export const refusedError = makeError("payment_required", "none left", { outcome: "refused" });
export const refused = ends(refusedError);
export const silent: SendPaid = () => {
  sent++;
  return new Promise(() => {});
};

/** An error about what a caller gave, with a part of its message. */
export const refusal = (part: string) => ({
  code: "invalid_request",
  message: expect.stringContaining(part),
});

/** A store that takes nothing. */
export const full = (): Promise<never> => Promise.reject(new Error("disk full"));

/** Sends when the store of the process has begun to take nothing. */
export const withFullStore =
  (one: Opened, send: SendPaid): SendPaid =>
  (turn) => {
    one.store.swap = full;
    return send(turn);
  };
