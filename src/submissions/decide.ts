import type { Doubt } from "../errors/doubt.ts";
import { describeValue } from "../errors/text.ts";
import { refuseArgument } from "../options/rules.ts";
import { requireId } from "../request/url.ts";
import { mayArriveError } from "./call-errors.ts";
import type { Doubts } from "./doubts.ts";
import { type DoubtRecord, isWaiting, jobIdOf, type StoredSubmission } from "./records.ts";
import type { Change, Records } from "./records-in-store.ts";
import type { Settling } from "./settle.ts";
import type { Submissions } from "./submissions.ts";

/** Method whose answers are jobs. */
const jobMethod = "jobs.submit";

/** A caller gives a job or its id, in JavaScript anything. */
const readJobId = (job: unknown): string => {
  const isReference = typeof job === "object" && job !== null && "job_id" in job;
  return requireId("job", isReference ? job.job_id : job, refuseArgument);
};

/** The part of a doubt that a decision reads. */
type DecidedDoubt = Parameters<Submissions["decide"]>[0];

const readDoubt = (doubt: unknown): DecidedDoubt => {
  const { id, token, mayStillArrive } = (doubt ?? {}) as Partial<Doubt>;
  if (typeof id === "string" && typeof token === "string") {
    const isTold = Object.hasOwn(doubt as object, "mayStillArrive");
    return { id, token, mayStillArrive: isTold ? mayStillArrive : undefined };
  }
  return refuseArgument(
    `decide takes a doubt, as error.doubt or an item of recovered.unknown, got ${describeValue(doubt)}`,
  );
};

/** A decision as it was checked. */
type CheckedDecision = { readonly jobId: string } | "resubmit" | "drop";

const readDecision = (decision: unknown): CheckedDecision => {
  if (decision === "resubmit" || decision === "drop") return decision;
  const { adopt } = (decision ?? {}) as { adopt?: unknown };
  if (adopt !== undefined) return { jobId: readJobId(adopt) };
  return refuseArgument(
    `a decision must be { adopt: job }, "resubmit" or "drop", got ${describeValue(decision)}`,
  );
};

export const createDecisions = (records: Records, doubts: Doubts, settling: Settling) => {
  /** Refuses to submit again while the first request may still arrive, or by candidates of that time. */
  const requireSettled = ({ id, mayStillArrive }: DecidedDoubt, record: DoubtRecord): void => {
    // The process that told of the doubt has waited.
    if (mayStillArrive === false) return;
    const leftMs = doubts.settlesInMs(record);
    if (leftMs > 0) throw mayArriveError(id, leftMs);
    if (mayStillArrive === undefined) return;
    refuseArgument(
      `this doubt about ${describeValue(id)} is out of date (mayStillArrive was true): ` +
        "recover again, and decide by the new candidates",
    );
  };

  /** What a decision makes of a record. The same decision again leaves it. */
  const judge = async (
    there: StoredSubmission | undefined,
    doubt: DecidedDoubt,
    decision: CheckedDecision,
  ): Promise<Change> => {
    const { id, token } = doubt;
    const { record } = there ?? {};
    const name = `the submission ${describeValue(id)}`;
    // A decision names an attempt: the id may be in doubt about a later one, with other candidates.
    if (record?.attempt.token !== token) {
      if (decision === "resubmit") return undefined;
      return refuseArgument(`${name} is not in doubt about this attempt any more: recover again`);
    }
    const { attempt, state } = record;
    if (state === "in-doubt") {
      if (decision === "resubmit") {
        requireSettled(doubt, record);
        return "free";
      }
      if (decision === "drop") return { attempt, state: "dropped" };
      const { method } = attempt.facts;
      if (method !== jobMethod) {
        refuseArgument(`${method} makes no job to adopt: decide "resubmit" or "drop"`);
      }
      const { jobId } = decision;
      const { leaseMs } = record;
      const adopted = { attempt, state: "settled", jobId, isAdopted: true, leaseMs } as const;
      const owner = await records.claim(jobId, id, adopted);
      if (owner === undefined) return adopted;
      refuseArgument(
        `the job ${describeValue(jobId)} belongs to the submission ${describeValue(owner)}: ` +
          "take a candidate of recovered.unknown",
      );
    }
    const isDone =
      typeof decision === "object"
        ? state === "settled" && record.jobId === decision.jobId
        : decision === "drop" && state === "dropped";
    return isDone
      ? undefined
      : refuseArgument(`${name} is ${state}, and not in doubt: recover again`);
  };

  return {
    async decide(given: unknown, decided: unknown): Promise<void> {
      const doubt = readDoubt(given);
      const decision = readDecision(decided);
      await records.change(doubt.id, (now) => judge(now, doubt, decision));
    },
    async acknowledge(job: unknown): Promise<void> {
      const jobId = readJobId(job);
      // Where the store has not taken the answer yet, its failure is the reason.
      await settling.lateOfJob(jobId)?.write();
      const there = await records.findByJob(jobId);
      if (there?.record?.state !== "settled") {
        return refuseArgument(
          `the job ${describeValue(jobId)} is none of a submission on record: ` +
            "acknowledge a job that was submitted with these submissions, or adopted",
        );
      }
      // Once more, as after a crash, does no harm.
      if (!isWaiting(there.record)) return;
      // The mark comes first: the job must not become a candidate again.
      await records.claim(jobId, there.id, { ...there.record, isAcknowledged: true });
      const close = ({ record }: Partial<StoredSubmission> = {}): Change =>
        record?.state === "settled" && isWaiting(record) && jobIdOf(record) === jobId
          ? { ...record, isAcknowledged: true }
          : undefined;
      await records.change(there.id, close, there);
    },
  };
};
