import { candidatesOf } from "../contract/jobs.ts";
import type { Doubt } from "../errors/doubt.ts";
import { describeValue } from "../errors/text.ts";
import { requireId } from "../http/url.ts";
import { abortSignal, checkOptions, refuseArgument, wholeNumber } from "../options/rules.ts";
import * as errors from "./call-errors.ts";
import type { Clock } from "./clock.ts";
import { describeDoubt, type Standing } from "./record.ts";
import type { Change, Records } from "./records.ts";
import type { OpenSubmissions, RecentJobs, RecoverOptions, Submissions } from "./submissions.ts";

/** Method whose answers are jobs. */
const jobMethod = "jobs.submit";

/** A caller gives a job or its id, in JavaScript anything. */
const readJobId = (job: unknown): string => {
  const isReference = typeof job === "object" && job !== null && "job_id" in job;
  return requireId("job", isReference ? job.job_id : job, refuseArgument);
};

/** The part of a doubt that a decision reads. */
const readDoubt = (doubt: unknown) => {
  const { id, token, mayStillArrive } = (doubt ?? {}) as Partial<Doubt>;
  if (typeof id === "string" && typeof token === "string") return { id, token, mayStillArrive };
  return refuseArgument(
    `decide takes a doubt, as error.doubt or an item of recovered.unknown, got ${describeValue(doubt)}`,
  );
};

/** A job to adopt; `undefined` for the other decisions. */
const readDecision = (decision: unknown): string | undefined => {
  if (decision === "resubmit" || decision === "drop") return undefined;
  const { adopt } = (decision ?? {}) as { adopt?: unknown };
  if (adopt !== undefined) return readJobId(adopt);
  return refuseArgument(
    `a decision must be { adopt: job }, "resubmit" or "drop", got ${describeValue(decision)}`,
  );
};

/** Decides about a submission in doubt. The same decision again does nothing. */
export const createDecide =
  (records: Records, clock: Clock): Submissions["decide"] =>
  async (given, decision) => {
    const { id, token, mayStillArrive } = readDoubt(given);
    const jobId = readDecision(decision);
    const name = `the submission ${describeValue(id)}`;
    const judge = async ({ record }: Partial<Standing> = {}): Promise<Change> => {
      // A decision names an attempt: the id may be in doubt about a later one, with other candidates.
      if (record?.attempt.token !== token) {
        if (decision === "resubmit") return undefined;
        return refuseArgument(`${name} is not in doubt about this attempt any more: recover again`);
      }
      const { attempt, state } = record;
      const isDone = jobId ? state === "settled" && record.jobId === jobId : state === "dropped";
      if (isDone && decision !== "resubmit") return undefined;
      if (state !== "in-doubt") {
        return refuseArgument(`${name} is ${state}, and not in doubt: recover again`);
      }
      if (decision === "drop") return { attempt, state: "dropped" };
      if (jobId === undefined) {
        const leftMs = record.settlesAt - clock.wall();
        if (leftMs > 0) throw errors.mayArrive(id, leftMs);
        if (!mayStillArrive) return "free";
        return refuseArgument(
          `this doubt about ${describeValue(id)} is out of date (mayStillArrive was true): ` +
            "recover again, and decide by the new candidates",
        );
      }
      const { method } = attempt.facts;
      if (method !== jobMethod) {
        refuseArgument(`${method} makes no job to adopt: decide "resubmit" or "drop"`);
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

const checkRecoverOptions = (options: unknown = {}): RecoverOptions =>
  checkOptions(
    "recoverJobs",
    { signal: abortSignal(), candidateLimit: wholeNumber(0, Number.MAX_SAFE_INTEGER) },
    options,
    refuseArgument,
  );

/** Time by which the clocks of the service and of the machine that submitted may differ. */
const clocksDifferMs = 60_000;

/**
 * When the service says that it made a job, in milliseconds since 1970. `NaN` where it does not say
 * it, or without a zone: such a job stays a candidate.
 *
 * @assumed A3
 */
const madeAt = (job: object): number => {
  const { created_at: text } = job as { readonly created_at?: unknown };
  return typeof text === "string" && /T.*(Z|[+-]\d\d:?\d\d)$/i.test(text) ? Date.parse(text) : NaN;
};

/**
 * Adds to each doubt its candidates: recent jobs that belong to no other submission, and were not made
 * before it, the nearest in time first.
 */
const createCandidates =
  (records: Records) =>
  async (doubts: readonly Doubt[], jobs: RecentJobs, options: RecoverOptions) => {
    if (!doubts.some(({ method }) => method === jobMethod)) return doubts;
    const { candidateLimit: limit, signal } = options;
    const { items } = await jobs.list(limit === undefined ? {} : { limit }, { signal });
    const owners = await Promise.all(items.map(({ job_id }) => records.findOwner(job_id)));
    return doubts.map((doubt): Doubt => {
      if (doubt.method !== jobMethod) return { ...doubt, candidates: [] };
      const submittedAt = Date.parse(doubt.submittedAt);
      const found = candidatesOf(
        items,
        doubt.action,
        (job, index) =>
          [undefined, doubt.id].includes(owners[index]) &&
          !(madeAt(job) < submittedAt - clocksDifferMs),
      );
      // Jobs without a time come last, in the service's order.
      const distanceOf = (job: object): number => {
        const ms = Math.abs(madeAt(job) - submittedAt);
        return Number.isNaN(ms) ? Number.MAX_SAFE_INTEGER : ms;
      };
      return {
        ...doubt,
        candidates: found.toSorted((one, other) => distanceOf(one) - distanceOf(other)),
      };
    });
  };

/** Lists the submissions that somebody waits for, or must decide about, oldest first. */
export const createList = (records: Records, clock: Clock): Submissions["listOpen"] => {
  const addCandidates = createCandidates(records);
  return async (jobs, given) => {
    const options = checkRecoverOptions(given);
    const now = clock.wall();
    const listed = (await records.listOpen()).toReversed();
    const unknown: Doubt[] = [];
    const underWay: OpenSubmissions["underWay"][number][] = [];
    const damaged: OpenSubmissions["damaged"][number][] = [];
    for (const { id, text, record } of listed) {
      if (record === undefined) damaged.push({ id, text });
      else if (record.state === "in-doubt") unknown.push(describeDoubt(id, record, now));
      else if (record.state === "sending") {
        underWay.push({ id, ...record.attempt.facts, leftMs: record.until - now });
      }
    }
    return {
      unknown: jobs ? await addCandidates(unknown, jobs, options) : unknown,
      underWay,
      damaged,
    };
  };
};
