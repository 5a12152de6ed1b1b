import { DelayedError, type Job, UnrecoverableError } from "bullmq";
import type { AdGenClient } from "../client.ts";
import { type AnyAdGenError, isAdGenError } from "../errors/errors.ts";
import { describeValue } from "../errors/text.ts";
import { sleep } from "../sleep.ts";
import { addLooks } from "./add-looks.ts";
import type { Brakes, FleetQueues } from "./brakes.ts";
import { recordError } from "./error-record.ts";
import type { FirstWait } from "./poll-step.ts";
import type { Records, SubmissionRecord } from "./records.ts";
import type { SubmissionData } from "./submission.ts";

/** Parts of a worker that its submissions use. */
export interface SubmitSetting {
  readonly client: AdGenClient;
  readonly records: Records;
  readonly queues: FleetQueues;
  readonly brakes: Brakes;
  /** Time for the POST, in milliseconds. */
  readonly submitTimeoutMs: number;
  readonly firstWait: FirstWait;
  /** Told of a paid job that does not fit the records. */
  readonly onContradiction: (message: string) => void;
  /** Decides on a submission whose outcome is unknown. */
  readonly meetUnknown: (job: Job<SubmissionData>, token: string) => Promise<void>;
}

/** Result of a job in the queue of submissions. */
export interface SubmissionAnswer {
  /** Identifier of the service's job. */
  readonly job_id: string;
}

/** A claim that took longer is made again: the process stood still, or Redis is slow. */
const freshClaimMs = 1_000;

/** The longest time of a claim that its intent allows for. */
const longestClaimMs = 20_000;

const longestPauseMs = 60_000;

/** Unknown outcomes in a row at which the submissions are paused. */
const mostUnknowns = 3;

/** Time in which a Redis that refuses writes may recover, while this process lives. */
const settleForMs = 600_000;

/** Makes the processor of submissions. */
export const createSubmitStep = (setting: SubmitSetting) => {
  const { client, records, queues, brakes, submitTimeoutMs } = setting;

  /** Puts a paid job's id on record. No failure of Redis ends this before its time. */
  const settle = async (
    id: string,
    jobId: string,
    retryAfterMs: number | undefined,
  ): Promise<void> => {
    const submittedAt = Date.now();
    for (;;) {
      try {
        const found = await records.settle(id, jobId, submittedAt, retryAfterMs);
        if (found !== "known") setting.onContradiction(describeContradiction(id, jobId, found));
        return;
      } catch (cause) {
        if (Date.now() - submittedAt > settleForMs) {
          const what = `job ${describeValue(jobId)} of submission ${describeValue(id)}`;
          throw new Error(`Redis did not take the id of ${what}`, { cause });
        }
        await sleep(500);
      }
    }
  };

  /** Puts the job back, unsubmitted. Always throws. */
  const putBack = async (
    job: Job<SubmissionData>,
    token: string,
    error: AnyAdGenError,
  ): Promise<never> => {
    const { tries = 0, error: _, ...data } = job.data;
    await job.updateData({ ...data, tries: tries + 1 });
    if (error.code === "rate_limited") return brakes.rateLimited(error, tries);
    if (error.code === "unauthorized" || error.code === "payment_required") {
      return brakes.paused(error, job, token);
    }
    await job.log(`Not sent, tried again later: ${error.message}`);
    const pauseMs = Math.min(longestPauseMs, 1_000 * 2 ** Math.min(tries, 10));
    await job.moveToDelayed(Date.now() + pauseMs, token);
    throw new DelayedError();
  };

  /** Ends a submission that the service refuses, or that cannot be sent. Always throws. */
  const refuse = async (job: Job<SubmissionData>, error: AnyAdGenError): Promise<never> => {
    await job.updateData({ ...job.data, error: recordError(error) });
    throw new UnrecoverableError(error.message);
  };

  const meetFailure = async (
    job: Job<SubmissionData>,
    token: string,
    intent: string,
    error: AnyAdGenError,
  ): Promise<void> => {
    const { id } = job.data;
    // An answer of success that cannot be used otherwise names the job. A failure may echo any id.
    const { jobId, status = 0 } = error;
    if (jobId !== undefined && status >= 200 && status < 300) {
      await settle(id, jobId, undefined);
      return;
    }
    if (error.outcome !== "refused" && error.outcome !== "not-sent") {
      const inARow = await records.doubt(id, intent, recordError(error));
      if (inARow >= mostUnknowns) await brakes.unknowns(error);
      return setting.meetUnknown(job, token);
    }
    const isFinal = ["bad_request", "not_found", "invalid_request"].includes(error.code);
    await records.release(id, intent, recordError(error), isFinal);
    await (isFinal ? refuse(job, error) : putBack(job, token, error));
  };

  const submit = async (job: Job<SubmissionData>, token: string, intent: string): Promise<void> => {
    const { id, request } = job.data;
    let retryAfterMs: number | undefined;
    try {
      const { job_id } = await client.jobs.submit(request, {
        timeoutMs: submitTimeoutMs,
        totalTimeoutMs: submitTimeoutMs,
        // All workers wait after a 429, not this one alone.
        maxRetries: 0,
        onResponse: (response) => {
          retryAfterMs = response.retryAfterMs;
        },
      });
      await settle(id, job_id, retryAfterMs);
    } catch (error) {
      if (!isAdGenError(error)) throw error;
      await meetFailure(job, token, intent, error);
    }
  };

  /** Claims the submission, and submits it where the claim is this execution's. */
  const begin = async (job: Job<SubmissionData>, token: string): Promise<void> => {
    const { id, request, digest } = job.data;
    const intent = crypto.randomUUID();
    for (let allowedMs = 0; ; ) {
      const claimedAt = Date.now();
      const intentAt = claimedAt + allowedMs;
      const claimed = await records.claim(id, intent, digest, request.action, intentAt);
      if (claimed === "taken") return setting.meetUnknown(job, token);
      if (claimed !== "go") return;
      const tookMs = Date.now() - claimedAt;
      if (tookMs < freshClaimMs + allowedMs) return submit(job, token, intent);
      // Others count from the intent's time until they take over: it allows for a slow Redis.
      allowedMs = Math.min(2 * tookMs, longestClaimMs);
    }
  };

  return async (job: Job<SubmissionData>, token = ""): Promise<SubmissionAnswer> => {
    const { id } = job.data;
    for (;;) {
      await begin(job, token);
      const record = await records.read(id);
      if (record?.jobId !== undefined) {
        await addLooks(queues, id, record, setting.firstWait(record));
        return { job_id: record.jobId };
      }
      if (record?.state === "dropped") throw new UnrecoverableError("dropped by decision");
      if (record?.state === "held") throw new UnrecoverableError(describeHeld(record));
      // Decided as "resubmit".
    }
  };
};

const describeContradiction = (id: string, jobId: string, found: string): string => {
  const [kind, ...words] = found.split(":");
  const other = describeValue(words.join(":"));
  const why =
    kind === "second" ? `it has job ${other} already` : `the job was that of submission ${other}`;
  const what = `submission ${describeValue(id)} was answered with job ${describeValue(jobId)}`;
  return `${what}, but ${why}: see listContradictions()`;
};

const describeHeld = ({ error, candidates, isComplete }: SubmissionRecord): string => {
  const what = error?.message ?? "the worker died while it submitted";
  const count = `${candidates?.length}${isComplete ? "" : " of a list that does not reach back"}`;
  const found = candidates === undefined ? "which could not be listed" : count;
  return `held for a decision: ${what}; candidates: ${found}; see listHeld() and decide()`;
};
