import { makeError } from "../../src/errors/make-error.ts";
import type { SendPaid, Verdict } from "../../src/submissions/begin.ts";
import { createSubmissionsWith } from "../../src/submissions/create-submissions.ts";
import { createMemoryStore } from "../../src/submissions/memory-store.ts";
import type { RecordStore } from "../../src/submissions/record-store.ts";
import type { PaidCall, SubmissionsOptions } from "../../src/submissions/submissions.ts";
import { createProcess, createRandom, createTime } from "./virtual-world.ts";

export const paid = {
  method: "jobs.submit",
  body: { action: "generate-ad", prompt: "Summer" },
  timeoutMs: 60_000,
} as const satisfies PaidCall;

/** Longer than the lease of a call of a minute. */
export const leaseMs = 70_000;

const isOver = <T>(work: Promise<T>): (() => boolean) => {
  let done = false;
  const end = (): void => {
    done = true;
  };
  work.then(end, end);
  return () => done;
};

/** One store, processes that use it, and a service, all in virtual time. */
export const startStory = () => {
  const time = createTime();
  const store = createMemoryStore();
  /** Number of the requests that left. */
  const sent = { count: 0 };
  const calm = () => ({ crash: 0, suspend: 0 });

  const open = (own: Partial<RecordStore> = {}, options?: SubmissionsOptions) => {
    // Its monotonic clock stands still while it sleeps.
    const process = createProcess(time, createRandom(1), calm, true);
    return {
      process,
      submissions: createSubmissionsWith(process.clock, { ...store, ...own }, options),
    };
  };

  /** Sends one request that ends so, after a time. */
  const ends =
    (end: Verdict, ms = 10): SendPaid =>
    async () => {
      sent.count++;
      await time.wait(ms);
      return end;
    };
  const answers = (jobId: string, ms?: number): SendPaid =>
    ends({ verdict: "settled", answer: { job_id: jobId, status: "queued" }, jobId }, ms);
  const lost = (ms?: number): SendPaid =>
    ends({ verdict: "doubt", error: makeError("connection", "reset") }, ms);
  const refused = (ms?: number): SendPaid =>
    ends({ verdict: "free", error: makeError("payment_required", "no credits") }, ms);
  const silent: SendPaid = () => {
    sent.count++;
    return new Promise(() => {});
  };

  return {
    time,
    store,
    sent,
    open,
    ...{ ends, answers, lost, refused, silent },
    pass: (ms: number) => time.runUntil(time.now() + ms),
    /** Lets time pass until a promise settles, for at most an hour. */
    async play<T>(work: Promise<T>): Promise<T> {
      await time.runUntil(time.now() + 3_600_000, isOver(work));
      return work;
    },
  };
};

export type Story = ReturnType<typeof startStory>;

/** Gives the error that a promise rejects with. */
export const failure = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    return { resolved: await work };
  } catch (error) {
    return error;
  }
};
