import type { Job } from "../contract/jobs.ts";
import {
  checkOptions,
  isObject,
  milliseconds,
  number,
  type Refuse,
  refuseArgument,
  rule,
  text,
  wholeNumber,
} from "../options/rules.ts";
import { type JobRef, readJobRef } from "../request/job-ref.ts";
import { problemOfId } from "../request/url.ts";
import type { LastingFailure } from "./failures.ts";
import { defaultWaitMs } from "./poll-options.ts";
import { actionIn, beginTicket, type PollTicket } from "./poll-ticket.ts";

/** Options of {@link createPollTicket}; everything in it is optional. */
export interface PollTicketOptions {
  /**
   * The time for the whole wait, in milliseconds, 0 to 2147483647.
   * @default 1860000 (31 minutes)
   */
  timeoutMs?: number | undefined;
  /**
   * When the submission was answered, by `Date.now()`. From then on the job's duration counts.
   * @default the time of this call for a job that is queued; else it is not known
   */
  submittedAt?: number | undefined;
}

const time = number(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, "a time of Date.now()");
const count = wholeNumber(0, Number.MAX_SAFE_INTEGER);

/**
 * Begins a wait that this process need not finish: see {@link pollOnce}.
 *
 * @param job A job as submitted, or its id.
 * @returns The ticket for the first poll: plain JSON of 130 to 500 bytes.
 * @throws {@link AdGenError} with `invalid_request`: the job has no usable id, or an option makes
 * no sense.
 * @see API v1, section 3 "States and transitions"
 * @example
 * const job = await client.jobs.submit({ action: "generate-ad", prompt: "Summer sale" });
 * await database.save(createPollTicket(job));
 */
export const createPollTicket = (job: JobRef, options: PollTicketOptions = {}): PollTicket => {
  const given = checkOptions(
    "createPollTicket",
    { timeoutMs: milliseconds(0), submittedAt: time },
    options,
    refuseArgument,
    { timeoutMs: defaultWaitMs },
  );
  const problem = problemOfId(readJobRef(job).id);
  if (problem !== undefined) refuseArgument(`createPollTicket needs a job: its id ${problem}`);
  const now = Date.now();
  const isNew = isObject(job) && (job as Partial<Job>).status === "queued";
  return {
    ...beginTicket(job, now, given.timeoutMs),
    action: actionIn(job),
    submittedAt: given.submittedAt ?? (isNew ? now : undefined),
  } as PollTicket; // its id was checked
};

const isFailure = (value: unknown): boolean =>
  isObject(value) &&
  typeof value["kind"] === "string" &&
  Number.isFinite(value["sinceMs"]) &&
  Number.isSafeInteger(value["polls"]);

const rules = {
  version: rule<1>("1: another version of adgen-sdk has made it", (value) => value === 1),
  jobId: rule<string>("the id of a job", (value) => problemOfId(value) === undefined),
  action: text(),
  startedAt: time,
  deadlineAt: time,
  submittedAt: time,
  polls: count,
  requests: count,
  failedPolls: count,
  lastJob: rule<NonNullable<PollTicket["lastJob"]>>(
    "a job",
    (value) => isObject(value) && typeof value["status"] === "string",
  ),
  openAt: time,
  percent: number(0, 100),
  failure: rule<LastingFailure>("an object: { kind, sinceMs, polls }", isFailure),
};

/** Checks a ticket that comes back, as from a database. All that a new one holds must be there. */
export const readTicket = (owner: string, given: unknown, refuse: Refuse): PollTicket => {
  const what = `${owner}'s ticket`;
  const ticket = checkOptions(what, rules, given, refuse, {}, "ticket.");
  for (const name of Object.keys(beginTicket("job", 0, 0))) {
    if (ticket[name as keyof PollTicket] === undefined) {
      refuse(`${what} must be what createPollTicket gave: its ${name} is missing`);
    }
  }
  return ticket as PollTicket;
};
