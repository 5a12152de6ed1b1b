import type { Doubt } from "../client/errors/doubt.ts";
import { describeValue } from "../client/errors/text.ts";
import { refuseArgument, requireId } from "../client/options/rules.ts";
import type { Submissions } from "../client/options/submissions.ts";
import * as errors from "./call-errors.ts";
import type { StoreClock } from "./store/clock.ts";
import { jobIdOf, jobMethod, type Standing } from "./store/record.ts";
import type { Change, Records } from "./store/records.ts";

/** Reads the id of a job from a job or from an id. A JavaScript caller can pass anything. */
const readJobId = (job: unknown): string => {
  const isReference = typeof job === "object" && job !== null && "job_id" in job;
  return requireId("job", isReference ? job.job_id : job, refuseArgument);
};

/** Checks and returns the fields of a doubt that a decision needs. */
const readDoubt = (doubt: unknown) => {
  const { id, token, mayStillArrive } = (doubt ?? {}) as Partial<Doubt>;
  if (typeof id === "string" && typeof token === "string") return { id, token, mayStillArrive };
  return refuseArgument(
    `decide takes a doubt, as error.doubt or an item of recovered.unknown, got ${describeValue(doubt)}`,
  );
};

/** Returns the id of the job to adopt, or `undefined` for the other decisions. */
const readDecision = (decision: unknown): string | undefined => {
  if (decision === "resubmit" || decision === "drop") return undefined;
  const { adopt } = (decision ?? {}) as { adopt?: unknown };
  if (adopt !== undefined) return readJobId(adopt);
  return refuseArgument(
    `a decision must be { adopt: job }, "resubmit" or "drop", got ${describeValue(decision)}`,
  );
};

/** Applies a decision to a submission in doubt. Repeating a decision changes nothing. */
export const createDecide =
  (records: Records, clock: StoreClock): Submissions["decide"] =>
  async (given, decision) => {
    const { id, token, mayStillArrive } = readDoubt(given);
    const jobId = readDecision(decision);
    const name = `the submission ${describeValue(id)}`;
    const judge = async ({ record }: Partial<Standing> = {}): Promise<Change> => {
      // The id may be in doubt about a later attempt by now, whose candidates are others.
      if (record?.attempt.token !== token) {
        if (decision === "resubmit") return undefined;
        return refuseArgument(`${name} is not in doubt about this attempt any more: recover again`);
      }
      const { attempt, state } = record;
      if (state !== "in-doubt") {
        const isAdopted = jobId !== undefined && jobIdOf(record) === jobId;
        if (isAdopted || (state === "dropped" && decision === "drop")) return undefined;
        return refuseArgument(`${name} is ${state}, and not in doubt: recover again`);
      }
      if (decision === "drop") return { attempt, state: "dropped" };
      if (jobId === undefined) {
        const leftMs = record.settlesAt - clock.wall();
        if (leftMs > 0) throw errors.mayStillArriveError(id, leftMs);
        if (!mayStillArrive) return "free";
        return refuseArgument(
          `this doubt about ${describeValue(id)} is out of date (mayStillArrive was true): ` +
            "recover again, and decide by the new candidates",
        );
      }
      const { method } = attempt.facts;
      if (method !== jobMethod) {
        refuseArgument(`${method} makes no job that could be adopted: decide "resubmit" or "drop"`);
      }
      const owner = await records.claim(jobId, id, attempt.ttlMs ?? attempt.keepMs);
      if (owner === undefined) return { attempt, state: "settled", jobId };
      return refuseArgument(
        `the job ${describeValue(jobId)} belongs to the submission ${describeValue(owner)}: ` +
          "take a candidate of recovered.unknown",
      );
    };
    await records.change(id, judge);
  };
