import type { Doubt } from "../../src/errors/doubt.ts";
import { makeError } from "../../src/errors/make-error.ts";
import type { SendPaid, Verdict } from "../../src/submissions/begin.ts";
import { createSubmissionsWith } from "../../src/submissions/create-submissions.ts";
import { createMemoryStore } from "../../src/submissions/memory-store.ts";
import type { RecordStore } from "../../src/submissions/record-store.ts";
import type {
  PaidCall,
  Submissions,
  SubmissionsOptions,
} from "../../src/submissions/submissions.ts";
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

  /** Lets time pass until a promise settles, for at most an hour. */
  const play = async <T>(work: Promise<T>): Promise<T> => {
    await time.runUntil(time.now() + 3_600_000, isOver(work));
    return work;
  };
  /** The same for a promise that rejects: gives its error. */
  const fails = (work: Promise<unknown>): Promise<unknown> => play(failure(work));

  /** A process whose store takes nothing from when a POST leaves, until it is well again. */
  const openFailing = () => {
    let isDown = false;
    const swap: RecordStore["swap"] = async (...input) => {
      if (isDown) throw new Error("disk full");
      return store.swap(...input);
    };
    const breakAt =
      (send: SendPaid): SendPaid =>
      (turn) => {
        isDown = true;
        return send(turn);
      };
    const heal = (): void => {
      isDown = false;
    };
    return { ...open({ swap }), breakAt, heal };
  };

  /** Leaves the doubt of a submission whose answer is lost, and gives it. */
  const lose = async (submissions: Submissions, call: PaidCall): Promise<Doubt> => {
    await fails(submissions.run(call, lost()));
    const { unknown } = await play(submissions.listOpen());
    const doubt = unknown.at(-1);
    if (doubt === undefined) throw new Error("There is no doubt");
    return doubt;
  };

  return {
    ...{ time, store, sent, open, openFailing, play, fails, lose },
    ...{ ends, answers, lost, refused, silent },
    pass: (ms: number) => time.runUntil(time.now() + ms),
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
