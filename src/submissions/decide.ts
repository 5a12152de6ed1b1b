import type { Doubt } from "../errors/doubt.ts";
import { describeValue } from "../errors/text.ts";
import { refuseArgument } from "../options/rules.ts";
import type { Claims } from "./claims.ts";
import { isWaiting, jobIdOf, keptMsOf, type Standing, type SubmissionRecord } from "./records.ts";
import { mostTurns, type Records, tooOftenError } from "./records-in-store.ts";

/**
 * Decision about a submission in doubt:
 * - `{ adopt: job }`: this job is that of the submission, and is waited for;
 * - `"resubmit"`: it made no job, or that job does not matter. Its id is free for another attempt;
 * - `"drop"`: the same, and its id may never be sent again.
 */
export type Decision =
  | { readonly adopt: string | { readonly job_id: string } }
  | "resubmit"
  | "drop";

/** Method whose answers are jobs. */
const jobMethod = "jobs.submit";

/** Gives the id of a job; refuses what has none. */
export const readJobId = (job: unknown): string => {
  const id = typeof job === "string" ? job : (job as { job_id?: unknown } | null)?.job_id;
  if (typeof id === "string" && id.trim() !== "") return id;
  return refuseArgument(`a job's id must be a non-empty string, got ${describeValue(id)}`);
};

const readDoubt = (doubt: unknown): Pick<Doubt, "id" | "token"> => {
  const { id, token } = (doubt ?? {}) as Partial<Doubt>;
  if (typeof id === "string" && typeof token === "string") return { id, token };
  return refuseArgument(
    `decide takes a doubt, as error.doubt or an item of recovered.unknown, got ${describeValue(doubt)}`,
  );
};

/** A decision as it was checked. */
type CheckedDecision = { readonly adopt: string } | "resubmit" | "drop";

const readDecision = (decision: unknown): CheckedDecision => {
  if (decision === "resubmit" || decision === "drop") return decision;
  const { adopt } = (decision ?? {}) as { adopt?: unknown };
  if (adopt !== undefined) return { adopt: readJobId(adopt) };
  return refuseArgument(
    `a decision must be { adopt: job }, "resubmit" or "drop", got ${describeValue(decision)}`,
  );
};

/** Makes the decisions about submissions in a store. */
export const createDecisions = (records: Records, claims: Claims) => {
  /** Gives the record in doubt; `undefined` where the same decision was made before. */
  const requireDoubt = (
    { id, token }: Pick<Doubt, "id" | "token">,
    there: Standing | undefined,
    decision: CheckedDecision,
  ): (SubmissionRecord & { state: "in-doubt" }) | undefined => {
    const { record } = there ?? {};
    const name = `the submission ${describeValue(id)}`;
    // A decision names an attempt: the id may be in doubt about a later one, with other candidates.
    if (record?.attempt.token !== token) {
      if (decision === "resubmit") return undefined;
      return refuseArgument(`${name} is not in doubt about this attempt any more: recover again`);
    }
    if (record.state === "in-doubt") return record;
    if (record.state === "dropped" && decision === "drop") return undefined;
    const isAdopted = typeof decision === "object" && jobIdOf(record) === decision.adopt;
    if (isAdopted && record.state === "settled") return undefined;
    return refuseArgument(`${name} is ${record.state}, and not in doubt: recover again`);
  };

  const refuseOther = (jobId: string, ownerId: string): never =>
    refuseArgument(
      `the job ${describeValue(jobId)} belongs to the submission ${describeValue(ownerId)}: ` +
        "take a candidate of recovered.unknown",
    );

  /**
   * Settles a doubt with a job that is claimed for it first. Gives whether the doubt stood still.
   * An answer that names the job meanwhile is a fact, and ends the guess.
   */
  const adopt = async (
    there: Standing,
    { attempt }: SubmissionRecord,
    jobId: string,
  ): Promise<boolean> => {
    const { id } = there;
    const { token, facts } = attempt;
    if (facts.method !== jobMethod) {
      refuseArgument(`${facts.method} makes no job to adopt: decide "resubmit" or "drop"`);
    }
    // The process of an answer may have died before its claim.
    const [answered] = (await claims.findWaiting(jobId)).filter((other) => other.id !== id);
    const ownerId = answered?.id ?? (await claims.claim(jobId, { id, token }));
    if (ownerId !== id) refuseOther(jobId, ownerId);
    const adopted = { attempt, state: "settled", jobId, isAdopted: true } as const;
    const { isDone, there: now } = await records.replace(there, adopted);
    if (!isDone || now === undefined) return false;
    const owner = await claims.ownerOf(jobId);
    if (owner === undefined || owner.id === id) return true;
    await records.replace(now, { attempt, state: "in-doubt", why: "not_its_job" });
    return refuseOther(jobId, owner.id);
  };

  /** Writes a decision. Gives whether the doubt stood still meanwhile. */
  const write = async (
    there: Standing,
    record: SubmissionRecord,
    decision: CheckedDecision,
  ): Promise<boolean> => {
    if (typeof decision === "object") return adopt(there, record, decision.adopt);
    const { attempt } = record;
    const next = decision === "drop" ? ({ attempt, state: "dropped" } as const) : undefined;
    return (await records.replace(there, next)).isDone;
  };

  const decide = async (
    doubt: Pick<Doubt, "id" | "token">,
    decision: CheckedDecision,
  ): Promise<void> => {
    for (let turns = 0; turns < mostTurns; turns++) {
      const there = await records.get(doubt.id);
      const record = requireDoubt(doubt, there, decision);
      if (there === undefined || record === undefined) return;
      if (await write(there, record, decision)) return;
    }
    throw tooOftenError(doubt.id);
  };

  const close = async (there: Standing, jobId: string): Promise<void> => {
    for (let turns = 0, now: Standing | undefined = there; turns < mostTurns; turns++) {
      const { record } = now ?? {};
      if (now === undefined || record?.state !== "settled" || !isWaiting(record)) return;
      const { attempt } = record;
      // The claim outlives the place on the list: the job must not become a candidate again.
      const ttlMs = keptMsOf(attempt);
      await claims.claim(
        jobId,
        { id: now.id, token: attempt.token },
        { isFact: record.isAdopted !== true, ttlMs },
      );
      const replaced = await records.replace(now, { ...record, isAcknowledged: true });
      if (replaced.isDone) return;
      now = replaced.there;
    }
    throw tooOftenError(there.id);
  };

  return {
    decide: async (doubt: unknown, decision: unknown): Promise<void> =>
      decide(readDoubt(doubt), readDecision(decision)),
    async acknowledge(job: unknown): Promise<void> {
      const jobId = readJobId(job);
      const owner = await claims.ownerOf(jobId);
      const isOpen = owner?.record !== undefined && isWaiting(owner.record);
      // Its claim may be missing, or another's by a wrong guess.
      const open = isOpen ? [owner] : await claims.findWaiting(jobId);
      for (const there of open) await close(there, jobId);
      // Once more, as after a crash, does no harm.
      if (open.length > 0 || owner?.record?.state === "settled") return;
      refuseArgument(
        `the job ${describeValue(jobId)} is none of a submission on record: ` +
          "acknowledge a job that was submitted with these submissions, or adopted",
      );
    },
  };
};
