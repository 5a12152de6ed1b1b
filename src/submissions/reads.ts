import type { Doubt } from "../client/errors/doubt.ts";
import { describeValue } from "../client/errors/text.ts";
import {
  abortSignalRule,
  checkOptions,
  refuseArgument,
  wholeNumberRule,
} from "../client/options/rules.ts";
import type {
  OpenSubmissions,
  RecentJobs,
  RecoverOptions,
  Submissions,
} from "../client/options/submissions.ts";
import { candidatesOf } from "../contract/jobs.ts";
import * as errors from "./call-errors.ts";
import type { StoreClock } from "./store/clock.ts";
import { describeDoubt, jobMethod } from "./store/record.ts";
import type { Records } from "./store/records.ts";

const checkRecoverOptions = (options: unknown = {}): RecoverOptions =>
  checkOptions(
    "recoverJobs",
    { signal: abortSignalRule(), candidateLimit: wholeNumberRule(0, Number.MAX_SAFE_INTEGER) },
    options,
    refuseArgument,
  );

/** Time by which the clocks of the service and of the machine that submitted may differ. */
const maxClockDifferenceMs = 60_000;

/**
 * Returns the time at which the service made a job, in milliseconds since 1970. It is `NaN` where
 * the service gives no time, or a time without a zone.
 *
 * @assumed A3
 */
const madeAt = (job: object): number => {
  const { created_at: text } = job as { readonly created_at?: unknown };
  return typeof text === "string" && /T.*(Z|[+-]\d\d:?\d\d)$/i.test(text) ? Date.parse(text) : NaN;
};

/** Ranks jobs made after the submission first, then jobs without a time, then earlier jobs. */
const rankOf = (madeAfterMs: number): number => {
  if (Number.isNaN(madeAfterMs)) return 1;
  return madeAfterMs < -maxClockDifferenceMs ? 2 : 0;
};

/**
 * Sorts candidates, the nearest in time first. Candidates from before the submission come last.
 * They are not removed, because the service's clock may be wrong, and a resubmission would then pay
 * twice.
 */
const sortByTime = <Job extends object>(jobs: readonly Job[], submittedAt: number): Job[] =>
  jobs
    .map((job) => ({ job, afterMs: madeAt(job) - submittedAt }))
    .toSorted((one, other) => {
      const difference = Math.abs(one.afterMs) - Math.abs(other.afterMs);
      // `NaN` becomes 0, so jobs without a time stay in the service's order.
      return rankOf(one.afterMs) - rankOf(other.afterMs) || difference || 0;
    })
    .map(({ job }) => job);

/** Adds the candidates to each doubt, which are recent jobs that no other submission owns. */
const addCandidates = async (
  records: Records,
  doubts: readonly Doubt[],
  jobs: RecentJobs,
  { candidateLimit: limit, signal }: RecoverOptions,
): Promise<readonly Doubt[]> => {
  if (!doubts.some(({ method }) => method === jobMethod)) return doubts;
  const { items } = await jobs.list(limit === undefined ? {} : { limit }, { signal });
  const owners = await Promise.all(items.map(({ job_id }) => records.findOwner(job_id)));
  return doubts.map((doubt): Doubt => {
    if (doubt.method !== jobMethod) return { ...doubt, candidates: [] };
    const isFree = (_: object, index: number) => [undefined, doubt.id].includes(owners[index]);
    const found = candidatesOf(items, doubt.action, isFree);
    return { ...doubt, candidates: sortByTime(found, Date.parse(doubt.submittedAt)) };
  });
};

/** Lists the submissions that are under way, in doubt or damaged, oldest first. */
export const createListOpen =
  (records: Records, clock: StoreClock): Submissions["listOpen"] =>
  async (jobs, given) => {
    const options = checkRecoverOptions(given);
    const now = clock.wall();
    const listed = (await records.listOpen()).toReversed();
    const unknown: Doubt[] = [];
    const underWay: OpenSubmissions["underWay"][number][] = [];
    const damaged: OpenSubmissions["damaged"][number][] = [];
    for (const { id, text, record } of listed) {
      switch (record?.state) {
        case undefined:
          damaged.push({ id, text });
          break;
        case "in-doubt":
          unknown.push(describeDoubt(id, record, now));
          break;
        case "sending":
          underWay.push({ id, ...record.attempt.facts, leftMs: record.until - now });
          break;
        case "settled":
        case "dropped":
          // Nothing about these records is open, so no list has them.
          break;
        default:
          record satisfies never;
      }
    }
    return {
      unknown: jobs ? await addCandidates(records, unknown, jobs, options) : unknown,
      underWay,
      damaged,
    };
  };

/** Finds one submission by its id. */
export const createFind =
  (records: Records, clock: StoreClock): Submissions["find"] =>
  async (id) => {
    if (typeof id !== "string" || id === "") {
      return refuseArgument(`find takes the id of a submission, got ${describeValue(id)}`);
    }
    const there = await records.get(id);
    if (there === undefined) return { state: "free" };
    const { record } = there;
    switch (record?.state) {
      case undefined:
        throw errors.unreadableRecordError(there);
      case "dropped":
        return { state: "dropped" };
      case "sending":
        return { state: "sending", leftMs: record.until - clock.wall() };
      case "in-doubt":
        return { state: "in-doubt", doubt: describeDoubt(id, record, clock.wall()) };
      case "settled":
        return { state: "settled", job_id: record.jobId };
      default:
        return record satisfies never;
    }
  };
