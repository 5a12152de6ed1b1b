import { isFinished, type Job } from "../contract/jobs.ts";
import { type AnyAdGenError, isAdGenError } from "../errors/errors.ts";
import { isLastPoll, type Seen } from "./advance.ts";
import type { Answer, Batch, JobLister, LoaderHost } from "./batch.ts";
import { isSameFailure } from "./failures.ts";
import { createListLimit } from "./list-limit.ts";
import { createListTrust } from "./list-trust.ts";
import type { PolledWait } from "./polled-wait.ts";
import { lastPollMs } from "./read-job.ts";
import { ownError } from "./wait-errors.ts";

/** So many waits poll each for itself; more of them share a list, down to the last two. */
const fewWaits = 3;

/** The quickest pace of lists, where no wait asks for a quicker one. */
const listPaceMs = 1_000;
/** A little more, so that more waits are due. */
const listPaceFactor = 1.15;

const longestPatienceMs = 10_000;

/** A list of last polls has failed by itself before; one of a reader of one's own may never. */
const graceMs = 5;

/** A list that has failed alone is not asked again for this time. */
const restMs = 60_000;

/** So many 429s in a row may be about the list alone: single polls then show it. */
const lastingRateLimits = 3;

/** Failures that say something about the list alone, and nothing about the jobs. */
const ownFailures: readonly string[] = ["decode", "not_found", "bad_request", "invalid_request"];

/** Answers polls that fall due together by one list, as DataLoader does, where that is of use. */
export const createLoader = (host: LoaderHost) => {
  const { clock, waits, pollSingly } = host;
  const reader: JobLister = host.reader;
  const limits = createListLimit();
  const trust = createListTrust(clock);
  let gathering: Batch | undefined;
  let fewestToShare = fewWaits + 1;
  let nextListAt = 0;
  let restsUntil = 0;
  /** 429s since the last answer. */
  let rateLimits = 0;
  /** A single poll has said whether the list lags behind the jobs. */
  let wasCompared = false;

  const mayShare = (wait: PolledWait): boolean =>
    waits.size >= fewestToShare &&
    typeof reader.list === "function" &&
    clock.now() >= restsUntil &&
    trust.isListed(wait) &&
    wait.ticket.jobId !== undefined;

  const pollAlone = async (...input: Parameters<typeof pollSingly>): Promise<Seen | undefined> => {
    const [wait] = input;
    const seen = await pollSingly(...input);
    if (seen?.job !== undefined) trust.noteConfirmed(wait);
    return seen && { ...seen, listedAt: trust.listedAt(wait) };
  };

  /** Has the waits of a batch poll each for itself. */
  const splitUp = ({ entries }: Batch): void => {
    for (const answer of [...entries.values()]) answer({});
  };

  /** Has waits at their deadline poll each for itself: no other poll may hold them up. */
  const releaseLast = ({ entries }: Batch): void => {
    for (const [wait, answer] of [...entries]) {
      if (isLastPoll(wait.ticket, clock.now())) answer({});
    }
  };

  /** Leaves the list alone for a while. */
  const giveUp = (batch: Batch): void => {
    restsUntil = clock.now() + restMs;
    wasCompared = false;
    splitUp(batch);
  };

  const failAll = (batch: Batch, error: AnyAdGenError): void => {
    const { startedAt: askedAt } = batch;
    const { retryAfterMs } = error;
    for (const [wait, answer] of [...batch.entries]) {
      answer({ seen: { error: ownError(error, wait.ticket.jobId), retryAfterMs, askedAt } });
    }
  };

  /** Finds out by one single poll whether the list alone has failed, or the service. */
  const compare = (batch: Batch, error: AnyAdGenError): void => {
    releaseLast(batch);
    const [answer] = batch.entries.values();
    answer?.({
      tell: (seen) => {
        if (seen === undefined) compare(batch, error);
        else if (seen.error !== undefined && isSameFailure(seen.error, error))
          failAll(batch, error);
        else giveUp(batch);
      },
    });
  };

  /** A 429 holds up all waits. It may come again and again, and from the list alone. */
  const limitRate = (batch: Batch, error: AnyAdGenError): void => {
    rateLimits++;
    if (rateLimits >= lastingRateLimits) {
      restsUntil = clock.now() + (error.retryAfterMs ?? 0) + restMs;
    }
    failAll(batch, error);
  };

  const fail = (batch: Batch, error: unknown, limit: number | undefined): void => {
    if (batch.entries.size === 0) return;
    if (!isAdGenError(error)) {
      giveUp(batch);
      return;
    }
    const { code, contentType } = error;
    const isPage = code === "decode" && contentType !== undefined;
    if (limits.mayShrink(limit, error)) void ask(batch);
    else if (ownFailures.includes(code) && !isPage) giveUp(batch);
    else if (code === "rate_limited") limitRate(batch, error);
    else if (batch.isLast && clock.now() >= batch.endsAt) failAll(batch, error);
    else compare(batch, error);
  };

  type Jobs = ReadonlyMap<unknown, Job>;

  /** Holds the first list against a single poll, before others see it. */
  const compareFirst = (batch: Batch, jobs: Jobs, showAll: () => void): void => {
    releaseLast(batch);
    for (const [wait, answer] of batch.entries) {
      const status = jobs.get(wait.ticket.jobId)?.status;
      if (status === undefined || isFinished(status)) continue;
      wasCompared = true;
      answer({
        tell: (seen) => {
          // A list that lags behind the jobs is of no use.
          if (seen?.job !== undefined && seen.job.status !== status) giveUp(batch);
          else showAll();
        },
      });
      return;
    }
    showAll();
  };

  const show = (batch: Batch, jobs: Jobs, wasCut: boolean, retryAfterMs?: number) => {
    const { entries, startedAt: askedAt } = batch;
    const isFree = (wait: PolledWait) => wait.isSleeping && wait.polledAt <= askedAt;
    const listed = [...waits].filter(
      (wait) => jobs.has(wait.ticket.jobId) && (entries.has(wait) || isFree(wait)),
    );
    const doubtful = trust.takeDoubtful(listed);
    for (const wait of listed) {
      const job = jobs.get(wait.ticket.jobId) as Job;
      const answer = entries.get(wait);
      const hasFinished = isFinished(job.status);
      if (!hasFinished && wait !== doubtful) {
        trust.noteListed(wait);
        const seen = { job, retryAfterMs, askedAt };
        if (answer === undefined) wait.offer(seen);
        else answer({ seen });
        continue;
      }
      // A result in a list is not checked. Where a single poll sees the job otherwise, that is
      // believed, and the list is not from then on.
      if (answer === undefined && trust.listedAt(wait) !== undefined) continue;
      trust.noteUnlisted(wait, hasFinished);
      if (answer === undefined) wait.pollNow();
      else answer({});
    }
    if (entries.size === 0) return;
    // Those that are left are not in the list.
    if (wasCut && limits.mayGrow()) {
      void ask(batch);
    } else {
      for (const wait of entries.keys()) trust.noteUnlisted(wait);
      splitUp(batch);
    }
  };

  const ask = async (batch: Batch): Promise<void> => {
    const limit = limits.limitFor(waits.size);
    let retryAfterMs: number | undefined;
    try {
      const { items } = await (reader as Required<JobLister>).list(
        limit === undefined ? {} : { limit },
        {
          signal: batch.controller.signal,
          totalTimeoutMs: Math.max(1, batch.endsAt - clock.now()),
          maxRetries: 0,
          onResponse: (response) => {
            retryAfterMs = response.retryAfterMs;
          },
        },
      );
      nextListAt = Math.min(nextListAt, clock.now() + (retryAfterMs ?? Number.POSITIVE_INFINITY));
      rateLimits = 0;
      // The first of several with one id is the newest.
      const jobs = new Map<unknown, Job>([...items].reverse().map((job) => [job.job_id, job]));
      const wasCut = limits.wasCut(limit, items.length);
      const showAll = () => show(batch, jobs, wasCut, retryAfterMs);
      if (wasCompared) showAll();
      else compareFirst(batch, jobs, showAll);
    } catch (error) {
      fail(batch, error, limit);
    }
  };

  /** Begins the list, or leaves few prompt waits to themselves. */
  const begin = async (batch: Batch): Promise<void> => {
    // All that fall due at this moment join first.
    await undefined;
    await undefined;
    if (gathering === batch) gathering = undefined;
    const { size } = batch.entries;
    if (size <= (batch.isDue ? 0 : fewWaits)) {
      splitUp(batch);
      return;
    }
    let paceMs = listPaceMs;
    for (const { config } of waits) paceMs = Math.min(paceMs, config.leastWaitMs ?? paceMs);
    const now = clock.now();
    const last = [...batch.entries.keys()].filter(({ ticket }) => isLastPoll(ticket, now));
    const lastMs = last.map(({ config }) => lastPollMs(config.timeoutMs));
    const patienceMs = Math.min(longestPatienceMs, 1_000 + 10 * size);
    fewestToShare = 2;
    batch.isLast = last.length > 0;
    batch.startedAt = now;
    batch.endsAt = now + (batch.isLast ? Math.min(...lastMs) : patienceMs);
    nextListAt = now + listPaceFactor * paceMs;
    void ask(batch);
  };

  const join = (wait: PolledWait, isPrompt: boolean, since: number): Promise<Answer | undefined> =>
    wait.suspend<Answer>((resume) => {
      let batch = gathering;
      if (batch === undefined) {
        const controller = new AbortController();
        const entries = new Map();
        batch = { entries, controller, isDue: false, isLast: false, startedAt: 0, endsAt: 0 };
        gathering = batch;
        void begin(batch);
      }
      const joined = batch;
      const { entries, controller } = joined;
      if (!isPrompt) joined.isDue = true;
      entries.set(wait, resume);
      const { deadlineAt } = wait.ticket;
      const undoAlarm = isLastPoll(wait.ticket, since)
        ? host.alarm.set(since + lastPollMs(wait.config.timeoutMs) + graceMs, () =>
            resume({ seen: { askedAt: clock.now() } }),
          )
        : host.alarm.set(deadlineAt, () => resume());
      return () => {
        undoAlarm();
        entries.delete(wait);
        if (entries.size > 0) return;
        // Nobody needs its answer any more, and nobody may join it.
        controller.abort();
        if (gathering === joined) gathering = undefined;
      };
    });

  return {
    nextListFor: (wait: PolledWait): number => (mayShare(wait) ? nextListAt : 0),

    getJob: async (wait: PolledWait, isPrompt: boolean): Promise<Seen | undefined> => {
      const since = clock.now();
      if (!mayShare(wait)) return pollAlone(wait, since);
      const answer = await join(wait, isPrompt, since);
      if (answer === undefined) return undefined;
      if ("seen" in answer) {
        const { seen } = answer;
        if (seen.job === undefined || !isLastPoll(wait.ticket, since)) return seen;
        // The last poll is single where there is a turn: no list can hide the end of a job.
        const own = await pollAlone(wait, since);
        return own?.job === undefined && own?.error === undefined ? own && seen : own;
      }
      const { tell } = answer;
      let seen: Seen | undefined;
      try {
        seen = await pollAlone(wait, since, tell && longestPatienceMs);
      } finally {
        tell?.(seen);
      }
      return seen;
    },

    /** Begins anew with small lists, because nothing waits any more. */
    reset: (): void => {
      fewestToShare = fewWaits + 1;
      wasCompared = false;
      limits.reset();
    },
  };
};
