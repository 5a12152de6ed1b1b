import { isFinished, type Job } from "../contract/jobs.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import type { CallOptions } from "../options/call-options.ts";
import type { JobReader } from "../request/job-ref.ts";
import { isLastPoll, type PollResult } from "./advance.ts";
import { isSameFailure } from "./failures.ts";
import { createJobList, type ListedJobs, type Read, readOnce } from "./read-jobs.ts";
import { type Clock, roundingMs, type Wait, wake } from "./wait.ts";
import { ownError } from "./wait-errors.ts";

/** Sharing begins at so many waits, and goes on until few are left: the end of a large batch. */
const manyWaits = 20;
const fewWaits = 4;

/** The quickest pace of lists, where no wait asks for a quicker one. */
const listPaceMs = 1_000;
/** A little more, so that more waits are due. */
const listPaceFactor = 1.15;

/** Pause after a 429 without a `Retry-After`. */
const usualPauseMs = 1_000;

/** A list that fails on its own, or lags, is not asked for again in this time. */
const listPauseMs = 60_000;

/** A 429 after so many failed polls may be about the list alone: GETs then show it. */
const manyRateLimits = 2;

/** A list may lag or be wrong: each wait also GETs its job once in this time. */
const trustMs = 8_000;
/** Least time between two such GETs of many waits, where the list shows finished jobs or none. */
const checkMs = { movingList: 100, quietList: 30 };
/** Most time between them. GETs of jobs that the list shows finished count as well, beyond it. */
const mostCheckMs = 2_000;

/** The most time for a list, and for a GET that only compares. */
const largestPatienceMs = 10_000;

/** Requests the jobs of a client's waits: one by one, or by a list for all of them. */
export const createLoader = (reader: JobReader, { now }: Clock, waits: Set<Wait>) => {
  let pausedUntil = 0;
  let nextListAt = 0;
  let listsPausedUntil = 0;
  let isSharing = false;
  let underWay: AbortController | undefined;
  /** Number of GETs that are due for comparison, and the time up to which they were counted. */
  let checks = 0;
  let checkedAt: number | undefined;
  /** Whether a GET was compared with the lists, since the first or since they rested. */
  let isCompared = false;
  /** Statuses in the last list, by the ids of the jobs. */
  let listed: ReadonlyMap<unknown, Job> = new Map();
  /** A GET has shown another status than the list before it. A later list with the old one lags. */
  let contradiction: { readonly job: Job; readonly at: number } | undefined;

  /** Sends one request. A 429 holds up every wait. */
  const read: Read = async (request, endsAt, signal) => {
    const outcome = await readOnce(request, endsAt - now(), signal);
    const { error, retryAfterMs = usualPauseMs } = outcome;
    if (error?.status === 429) pausedUntil = Math.max(pausedUntil, now() + retryAfterMs);
    return outcome;
  };

  const list = createJobList(reader, read);
  const patienceMs = () => Math.min(largestPatienceMs, 1_000 + 2 * waits.size);

  const pauseLists = (): void => {
    listsPausedUntil = now() + listPauseMs;
    checkedAt = undefined;
    isCompared = false;
  };

  /** Has all waits that have believed a list poll by themselves. */
  const distrust = (): void => {
    pauseLists();
    for (const wait of waits) if (wait.listedAt === undefined) wake(wait);
  };

  const areShared = (): boolean => {
    isSharing = waits.size >= (isSharing ? fewWaits : manyWaits);
    return isSharing && list.isThere() && now() >= listsPausedUntil;
  };

  /** Whether the wait shares the next list. At its deadline it does so once, for half of the time. */
  const mayShare = (wait: Wait, time: number, lastListUntil: number): boolean => {
    const { ticket, mustPoll, listedAt, seen } = wait;
    if (!areShared() || mustPoll || listedAt !== undefined) return false;
    return !isLastPoll(ticket, time) || (seen === undefined && lastListUntil - time > roundingMs);
  };

  /** The number of jobs to compare with a list, beside those that it shows finished. */
  const countChecks = (jobs: ReadonlyMap<unknown, Job>): void => {
    if (checkedAt === undefined) {
      // One shows at once whether the list can be trusted. No other can be late yet.
      checks = 1;
      checkedAt = now() + mostCheckMs;
      return;
    }
    const sinceMs = Math.min(trustMs, Math.max(0, now() - checkedAt));
    const ended = [...waits].filter(({ ticket: { jobId }, listedAt }) => {
      const status = jobs.get(jobId)?.status;
      return listedAt === undefined && status !== undefined && isFinished(status);
    });
    const leastMs = ended.length > 0 ? checkMs.movingList : checkMs.quietList;
    const paceMs = Math.max(leastMs, trustMs / waits.size);
    checks += Math.max(sinceMs / paceMs - ended.length, sinceMs / mostCheckMs);
    checkedAt += sinceMs;
  };

  /** Passes the answer of a list on to the waits that sleep. */
  const applyList = ({ jobs, retryAfterMs, error, grow }: ListedJobs, askedAt: number): void => {
    const doubted = contradiction && contradiction.at <= askedAt ? contradiction.job : undefined;
    if (doubted !== undefined) contradiction = undefined;
    listed = jobs;
    if (doubted && jobs.get(doubted.job_id)?.status === doubted.status) {
      distrust();
      return;
    }
    if (retryAfterMs !== undefined) nextListAt = Math.min(nextListAt, now() + retryAfterMs);
    if (error === undefined) countChecks(jobs);
    for (const wait of waits) {
      const { ticket, polledAt, pollAt, mustPoll, resume } = wait;
      if (resume === undefined || mustPoll || polledAt > askedAt) continue;
      const job = jobs.get(ticket.jobId);
      const isDue = Math.min(pollAt, ticket.deadlineAt) - now() <= roundingMs;
      if (job === undefined) {
        if (!isDue) continue;
        if (error === undefined) {
          grow();
          wait.mustPoll = true;
        } else wait.seen = { error: ownError(error, ticket.jobId), retryAfterMs, askedAt };
      } else if (isFinished(job.status)) {
        wait.listedAt ??= now();
        wait.mustPoll = true;
      } else if (checks >= 1) {
        checks -= 1;
        wait.mustPoll = true;
      } else wait.seen = { job, retryAfterMs, askedAt };
    }
  };

  /** Whether only the list fails, as a GET shows. */
  const isListFailure = async (error: AnyAdGenError, signal: AbortSignal): Promise<boolean> => {
    if (error.status === 429) {
      return [...waits].every(({ ticket }) => ticket.failedPolls >= manyRateLimits);
    }
    const [one] = waits;
    if (one === undefined) return false;
    const get = (options: CallOptions) => reader.get(one.ref, options);
    const compared = await read(get, now() + patienceMs(), signal);
    return compared.error === undefined || !isSameFailure(compared.error, error);
  };

  const requestList = async (signal: AbortSignal): Promise<void> => {
    const askedAt = now();
    const answer = await list.read(waits.size, askedAt + patienceMs(), signal);
    const isWrong = answer.error !== undefined && (await isListFailure(answer.error, signal));
    if (signal.aborted) return;
    if (isWrong) pauseLists();
    else applyList(answer, askedAt);
  };

  /** Compares what the last list has shown of a job with what a GET shows now. */
  const compare = (before: Job, job: Job): void => {
    const isFirst = !isCompared;
    isCompared = true;
    if (before.status === job.status || contradiction !== undefined) return;
    if (isFirst) {
      // This GET follows its list at once, before much can have changed.
      distrust();
      return;
    }
    contradiction = { job: before, at: now() };
    if (areShared() && now() >= pausedUntil) void share();
  };

  /** Requests a list for all waits, and resumes them when it is answered. */
  const share = async (): Promise<void> => {
    if (underWay !== undefined) return;
    const controller = new AbortController();
    underWay = controller;
    let paceMs = listPaceMs;
    for (const { config } of waits) {
      const { intervalMs, maxIntervalMs, targetDelayMs } = config;
      paceMs = Math.min(paceMs, intervalMs ?? maxIntervalMs ?? targetDelayMs ?? paceMs);
    }
    nextListAt = now() + listPaceFactor * paceMs;
    // A list of one's own may throw anything.
    await requestList(controller.signal).catch(pauseLists);
    if (underWay !== controller) return;
    underWay = undefined;
    for (const wait of waits) wait.resume?.();
  };

  return {
    mayShare,
    share,

    /** The time until which a wait is held up: by a 429, or because it shares the next list. */
    heldUntil: (wait: Wait): number =>
      Math.max(pausedUntil, mayShare(wait, now(), Number.POSITIVE_INFINITY) ? nextListAt : 0),

    /** GETs the job of one wait. */
    poll: async (wait: Wait, endsAt: number): Promise<PollResult> => {
      const { ref, config, ticket, listedAt, mustPoll } = wait;
      const askedAt = now();
      const isCheck = isSharing && mustPoll && listedAt === undefined;
      const patientUntil =
        isCheck && !isLastPoll(ticket, askedAt) ? askedAt + largestPatienceMs : endsAt;
      wait.mustPoll = false;
      // The one that was polled longest ago is the first to be compared with a list.
      waits.delete(wait);
      waits.add(wait);
      const get = (options: CallOptions) => reader.get(ref, options);
      const { value: job, ...seen } = await read(
        get,
        Math.min(endsAt, patientUntil),
        config.signal,
      );
      const before = listed.get(ticket.jobId);
      if (job && before) compare(before, job);
      return { ...seen, job, askedAt, listedAt };
    },

    /** Forgets what lists have shown. */
    reset: (): void => {
      underWay?.abort();
      underWay = undefined;
      contradiction = undefined;
      checkedAt = undefined;
      isCompared = false;
      listed = new Map();
      isSharing = false;
      list.reset();
    },
  };
};
