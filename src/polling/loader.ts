import { isFinished, type Job } from "../contract/jobs.ts";
import type { Page } from "../contract/page.ts";
import { type AnyAdGenError, isAdGenError } from "../errors/errors.ts";
import type { CallOptions } from "../options/call-options.ts";
import type { JobReader, JobRef } from "../resources/job-ref.ts";
import { isLastPoll, type Seen } from "./advance.ts";
import type { Clock } from "./clock.ts";
import { isSameFailure } from "./failures.ts";
import type { PollConfig } from "./poll-options.ts";
import type { WaitTicket } from "./poll-ticket.ts";
import { lastPollMs } from "./read-job.ts";
import type { Semaphore } from "./semaphore.ts";
import { ownError } from "./wait-errors.ts";

/** So many waits poll each for itself; more of them share a list, down to the last two. */
const fewWaits = 3;

/** The quickest pace of lists, where no wait asks for a quicker one. */
const listPaceMs = 1_000;
/** A little more, so that more waits are due. */
const listPaceFactor = 1.15;

const longestPatienceMs = 10_000;

/** A list that has failed alone is not asked again for this time. */
const restMs = 60_000;

/** So many 429s in a row may be about the list alone: single polls then show it. */
const lastingRateLimits = 3;

/** A list's word holds for a wait this long; then a single poll confirms it. */
const trustMs = 30_000;
/** Single polls that confirm are so far apart: many waits do not undo the list's gain. */
const confirmPaceMs = 2_000;

/** Limits of the list. The largest that the service allows is not documented. @assumed A4 */
const [smallestLimit, usualLimit, largestLimit] = [20, 1_000, 10_000];

/** Failures that say something about the list alone, and nothing about the jobs. */
const ownFailures: readonly string[] = ["decode", "not_found", "bad_request", "invalid_request"];

/** A wait, as those know it that it shares with others. */
export interface PolledWait {
  readonly ref: JobRef;
  readonly config: PollConfig;
  readonly semaphore: Semaphore;
  readonly ticket: WaitTicket;
  /** Time of its last poll; its begin, before. */
  readonly polledAt: number;
  readonly isSleeping: boolean;
  /** The one way to stand still: `begin` gets the function that ends it; so does an abort. */
  suspend<Answer>(
    begin: (resume: (answer?: Answer) => void) => () => void,
  ): Promise<Answer | undefined>;
  /** Shows it the job while it sleeps. */
  offer(seen: Seen): void;
  /** Has it poll now, if it sleeps. */
  pollNow(): void;
  /** Has it poll now, or as soon as it may after the last poll. */
  wake(): void;
}

/** A reader that may also list jobs, as `client.jobs` does. */
interface JobLister extends JobReader {
  list?(query: { limit?: number }, options: CallOptions): Promise<Page<Job>>;
}

/** Answer of a list to one wait: the job, or to poll singly, and to whom that matters. */
type Answer = { readonly seen: Seen } | { readonly tell?: (seen: Seen | undefined) => void };

/** One list in place of many polls. */
interface Batch {
  /** Waits that need its answer. */
  readonly entries: Map<PolledWait, (answer: Answer) => void>;
  readonly controller: AbortController;
  /** One of its waits was due, and not only begun or woken: all see the list. */
  isDue: boolean;
  startedAt: number;
  endsAt: number;
}

/** Jobs of a list, by their ids. */
type Jobs = ReadonlyMap<unknown, Job>;

/** Answers polls that fall due together by one list, as DataLoader does, where that is of use. */
export const createLoader = ({
  clock,
  waits,
  pollSingly,
  ...host
}: {
  readonly reader: JobReader;
  readonly clock: Clock;
  readonly waits: ReadonlySet<PolledWait>;
  readonly pollSingly: (
    wait: PolledWait,
    since: number,
    longestMs?: number,
  ) => Promise<Seen | undefined>;
}) => {
  const reader: JobLister = host.reader;
  let gathering: Batch | undefined;
  let fewestToShare = fewWaits + 1;
  let nextListAt = 0;
  let restsUntil = 0;
  /** 429s since the last answer. */
  let rateLimits = 0;
  /** It does not shrink while waits end, because the last of them may be for the oldest jobs. */
  let limit = smallestLimit;
  /** The largest limit that was not refused; 0 where the service takes none. */
  let mostListed = largestLimit;
  /** Time of the next single poll that confirms; 0 before the first list was held against one. */
  let nextConfirmAt = 0;
  /** When a single poll has last shown a wait's job. */
  const confirmedAt = new WeakMap<PolledWait, number>();
  /** Waits that poll singly, and since when the list shows their jobs finished. */
  const unlisted = new WeakMap<PolledWait, number | undefined>();

  const mayShare = (wait: PolledWait): boolean =>
    waits.size >= fewestToShare &&
    typeof reader.list === "function" &&
    clock.now() >= restsUntil &&
    !unlisted.has(wait) &&
    wait.ticket.jobId !== undefined;

  const pollAlone = async (...input: Parameters<typeof pollSingly>): Promise<Seen | undefined> => {
    const [wait] = input;
    const seen = await pollSingly(...input);
    if (seen?.job !== undefined) confirmedAt.set(wait, clock.now());
    return seen && { ...seen, listedAt: unlisted.get(wait) };
  };

  /** Has the waits of a batch poll each for itself. */
  const splitUp = ({ entries }: Batch): void => {
    for (const answer of [...entries.values()]) answer({});
  };

  /** Leaves the list alone for a while. */
  const giveUp = (batch: Batch): void => {
    restsUntil = clock.now() + restMs;
    nextConfirmAt = 0;
    splitUp(batch);
  };

  /** Holds a list against one single poll before any wait sees it: does it lag, or fail alone? */
  const compare = (batch: Batch, listed: Jobs | AnyAdGenError, goOn: () => void): void => {
    const { entries } = batch;
    const error = isAdGenError(listed) ? listed : undefined;
    // No other poll may hold up those at their deadline.
    for (const [wait, answer] of [...entries]) {
      if (isLastPoll(wait.ticket, clock.now())) answer({});
    }
    for (const [wait, answer] of entries) {
      const status = error ? undefined : (listed as Jobs).get(wait.ticket.jobId)?.status;
      if (!error && (status === undefined || isFinished(status))) continue;
      if (!error) nextConfirmAt = clock.now() + confirmPaceMs;
      answer({
        tell: (seen) => {
          const isAlike = error
            ? seen?.error && isSameFailure(seen.error, error)
            : seen?.job === undefined || seen.job.status === status;
          if (error && seen === undefined) compare(batch, error, goOn);
          else if (isAlike) goOn();
          else giveUp(batch);
        },
      });
      return;
    }
    goOn();
  };

  /** Tells whether a list precedes the deadline's error of some of its waits. */
  const hasLastPolls = ({ entries, startedAt }: Batch): boolean =>
    [...entries.keys()].some(({ ticket }) => isLastPoll(ticket, startedAt));

  const failAll = (batch: Batch, error: AnyAdGenError): void => {
    const { startedAt: askedAt } = batch;
    const { retryAfterMs } = error;
    for (const [wait, answer] of [...batch.entries]) {
      answer({ seen: { error: ownError(error, wait.ticket.jobId), retryAfterMs, askedAt } });
    }
  };

  /** Tells whether a list failed by its limit. The next one is smaller, or has none. */
  const mayShrink = (error: AnyAdGenError): boolean => {
    const isRefused = error.code === "bad_request";
    const isTooLarge = error.code === "decode" && error.reason === "too-large";
    if (mostListed === 0 || !(isRefused || isTooLarge)) return false;
    const isSmallest = limit <= smallestLimit;
    mostListed = isRefused ? 0 : Math.max(smallestLimit, Math.floor(limit / 4));
    return isRefused || !isSmallest;
  };

  const fail = (batch: Batch, error: unknown): void => {
    if (batch.entries.size === 0) return;
    if (!isAdGenError(error)) {
      giveUp(batch);
      return;
    }
    const { code, contentType } = error;
    const isPage = code === "decode" && contentType !== undefined;
    if (mayShrink(error)) {
      void ask(batch);
    } else if (ownFailures.includes(code) && !isPage) {
      giveUp(batch);
    } else if (code === "rate_limited") {
      rateLimits++;
      if (rateLimits >= lastingRateLimits) {
        restsUntil = clock.now() + (error.retryAfterMs ?? 0) + restMs;
      }
      failAll(batch, error);
    } else if (clock.now() >= batch.endsAt && hasLastPolls(batch)) {
      failAll(batch, error);
    } else {
      compare(batch, error, () => failAll(batch, error));
    }
  };

  /** Takes the wait that no single poll has confirmed for longest, when it is time for one. */
  const takeDoubtful = (listed: readonly PolledWait[]): PolledWait | undefined => {
    const now = clock.now();
    if (now < nextConfirmAt || listed.length === 0) return undefined;
    nextConfirmAt = now + Math.max(confirmPaceMs, trustMs / listed.length);
    const lastAt = (wait: PolledWait) => confirmedAt.get(wait) ?? wait.ticket.startedAt;
    return listed.reduce((oldest, wait) => (lastAt(wait) < lastAt(oldest) ? wait : oldest));
  };

  const show = (batch: Batch, jobs: Jobs, shown: number, retryAfterMs?: number): void => {
    const { entries, startedAt: askedAt } = batch;
    const isFree = (wait: PolledWait) => wait.isSleeping && wait.polledAt <= askedAt;
    const listed = [...waits].filter(
      (wait) => jobs.has(wait.ticket.jobId) && (entries.has(wait) || isFree(wait)),
    );
    const doubtful = takeDoubtful(listed);
    for (const wait of listed) {
      const job = jobs.get(wait.ticket.jobId) as Job;
      const answer = entries.get(wait);
      const hasFinished = isFinished(job.status);
      if (!hasFinished && wait !== doubtful) {
        unlisted.delete(wait);
        const seen = { job, retryAfterMs, askedAt };
        if (answer === undefined) wait.offer(seen);
        else answer({ seen });
        continue;
      }
      // A result in a list is not checked. Where a single poll sees the job otherwise, that is
      // believed, and the list is not from then on.
      if (answer === undefined && unlisted.get(wait) !== undefined) continue;
      unlisted.set(wait, unlisted.get(wait) ?? (hasFinished ? clock.now() : undefined));
      if (answer === undefined) wait.pollNow();
      else answer({});
    }
    if (entries.size === 0) return;
    // Those that are left are not in the list. A longer one may show them.
    if (mostListed > limit && shown >= limit) {
      limit = Math.min(4 * limit, mostListed);
      void ask(batch);
      return;
    }
    for (const wait of entries.keys()) unlisted.set(wait, unlisted.get(wait));
    splitUp(batch);
  };

  const ask = async (batch: Batch): Promise<void> => {
    limit = Math.min(Math.max(limit, Math.min(2 * waits.size, usualLimit)), mostListed || limit);
    let retryAfterMs: number | undefined;
    try {
      const { items } = await (reader as Required<JobLister>).list(mostListed ? { limit } : {}, {
        signal: batch.controller.signal,
        totalTimeoutMs: Math.max(1, batch.endsAt - clock.now()),
        maxRetries: 0,
        onResponse: (response) => {
          retryAfterMs = response.retryAfterMs;
        },
      });
      nextListAt = Math.min(nextListAt, clock.now() + (retryAfterMs ?? Number.POSITIVE_INFINITY));
      rateLimits = 0;
      // The first of several with one id is the newest.
      const jobs = new Map<unknown, Job>([...items].reverse().map((job) => [job.job_id, job]));
      const showAll = () => show(batch, jobs, items.length, retryAfterMs);
      if (nextConfirmAt > 0) showAll();
      else compare(batch, jobs, showAll);
    } catch (error) {
      fail(batch, error);
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
    const lastMs = [...batch.entries.keys()]
      .filter(({ ticket }) => isLastPoll(ticket, now))
      .map(({ config }) => lastPollMs(config.timeoutMs));
    const patienceMs = Math.min(longestPatienceMs, 1_000 + 10 * size);
    fewestToShare = 2;
    batch.startedAt = now;
    batch.endsAt = now + Math.min(...(lastMs.length > 0 ? lastMs : [patienceMs]));
    nextListAt = now + listPaceFactor * paceMs;
    void ask(batch);
  };

  const join = (wait: PolledWait, isPrompt: boolean, since: number): Promise<Answer | undefined> =>
    wait.suspend<Answer>((resume) => {
      let batch = gathering;
      if (batch === undefined) {
        const controller = new AbortController();
        const entries = new Map();
        batch = { entries, controller, isDue: false, startedAt: 0, endsAt: 0 };
        gathering = batch;
        void begin(batch);
      }
      const joined = batch;
      const { entries, controller } = joined;
      if (!isPrompt) joined.isDue = true;
      entries.set(wait, resume);
      // The list of a last poll ends in time by itself.
      const isLast = isLastPoll(wait.ticket, since);
      const undoAlarm = isLast ? () => {} : clock.ringAt(wait.ticket.deadlineAt, () => resume());
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
      nextConfirmAt = 0;
      limit = smallestLimit;
    },
  };
};
