import { isFinished, type Job } from "../contract/jobs.ts";
import { type AnyAdGenError, isAdGenError } from "../errors/errors.ts";
import type { JobReader } from "../resources/job-ref.ts";
import { isLastPoll, type Seen } from "./advance.ts";
import type { Clock } from "./clock.ts";
import { isSameFailure } from "./failures.ts";
import { createJobList, type ListedJobs } from "./job-list.ts";
import type { PolledWait, PollSingly } from "./polled-wait.ts";
import { lastPollMs } from "./read-job.ts";
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

/** Failures that say something about the list alone, and nothing about the jobs. */
const ownFailures: readonly string[] = ["decode", "not_found", "bad_request", "invalid_request"];

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

/** Answers polls that fall due together by one list, as DataLoader does, where that is of use. */
export const createLoader = (
  reader: JobReader,
  clock: Clock,
  waits: ReadonlySet<PolledWait>,
  pollSingly: PollSingly,
) => {
  const list = createJobList(reader, clock);
  let gathering: Batch | undefined;
  let fewestToShare = fewWaits + 1;
  let nextListAt = 0;
  let restsUntil = 0;
  /** 429s since the last answer. */
  let rateLimits = 0;
  /** Time of the next single poll that confirms; 0 before the first list was held against one. */
  let nextConfirmAt = 0;
  /** When a single poll has last shown a wait's job. */
  const confirmedAt = new WeakMap<PolledWait, number>();
  /** Waits that poll singly, and since when the list shows their jobs finished. */
  const unlisted = new WeakMap<PolledWait, number | undefined>();

  const mayShare = (wait: PolledWait): boolean =>
    waits.size >= fewestToShare &&
    list.isThere() &&
    clock.now() >= restsUntil &&
    !unlisted.has(wait) &&
    wait.ticket.jobId !== undefined;

  const pollAlone: PollSingly = async (wait, since, longestMs) => {
    const seen = await pollSingly(wait, since, longestMs);
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
  const compare = (batch: Batch, listed: ListedJobs | AnyAdGenError, goOn: () => void): void => {
    const { entries } = batch;
    const error = isAdGenError(listed) ? listed : undefined;
    // No other poll may hold up those at their deadline.
    for (const [wait, answer] of [...entries]) {
      if (isLastPoll(wait.ticket, clock.now())) answer({});
    }
    for (const [wait, answer] of entries) {
      const status = error ? undefined : (listed as ListedJobs).jobs.get(wait.ticket.jobId)?.status;
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

  /** Gives the waits whose deadline's error a list precedes. */
  const lastPollsOf = ({ entries, startedAt }: Batch): PolledWait[] =>
    [...entries.keys()].filter(({ ticket }) => isLastPoll(ticket, startedAt));

  const failAll = (batch: Batch, error: AnyAdGenError): void => {
    const { startedAt: askedAt } = batch;
    const { retryAfterMs } = error;
    for (const [wait, answer] of [...batch.entries]) {
      answer({ seen: { error: ownError(error, wait.ticket.jobId), retryAfterMs, askedAt } });
    }
  };

  const fail = (batch: Batch, error: unknown): void => {
    if (batch.entries.size === 0) return;
    if (!isAdGenError(error)) {
      giveUp(batch);
      return;
    }
    const { code, contentType } = error;
    const isPage = code === "decode" && contentType !== undefined;
    if (ownFailures.includes(code) && !isPage) {
      giveUp(batch);
    } else if (code === "rate_limited") {
      rateLimits++;
      if (rateLimits >= lastingRateLimits) {
        restsUntil = clock.now() + (error.retryAfterMs ?? 0) + restMs;
      }
      failAll(batch, error);
    } else if (clock.now() >= batch.endsAt && lastPollsOf(batch).length > 0) {
      failAll(batch, error);
    } else {
      compare(batch, error, () => failAll(batch, error));
    }
  };

  /** Takes the waits that no single poll has confirmed for longest, as many as it is time for. */
  const takeDoubtful = (listed: readonly PolledWait[]): readonly PolledWait[] => {
    const now = clock.now();
    const since = nextConfirmAt || now;
    if (now < since || listed.length === 0) return [];
    const paceMs = Math.max(confirmPaceMs, trustMs / listed.length);
    const due = 1 + Math.floor((now - since) / paceMs);
    nextConfirmAt = since + due * paceMs;
    const lastAt = (wait: PolledWait) => confirmedAt.get(wait) ?? wait.ticket.startedAt;
    return [...listed].sort((one, other) => lastAt(one) - lastAt(other)).slice(0, due);
  };

  const show = (batch: Batch, { jobs, wasCut, retryAfterMs }: ListedJobs): void => {
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
      if (!hasFinished && !doubtful.includes(wait)) {
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
    if (wasCut) {
      list.grow();
      void ask(batch);
      return;
    }
    for (const wait of entries.keys()) unlisted.set(wait, unlisted.get(wait));
    splitUp(batch);
  };

  const ask = async (batch: Batch): Promise<void> => {
    try {
      const listed = await list.read(waits.size, batch.endsAt, batch.controller.signal);
      const { retryAfterMs = Number.POSITIVE_INFINITY } = listed;
      nextListAt = Math.min(nextListAt, clock.now() + retryAfterMs);
      rateLimits = 0;
      if (nextConfirmAt > 0) show(batch, listed);
      else compare(batch, listed, () => show(batch, listed));
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
    fewestToShare = 2;
    batch.startedAt = clock.now();
    const lastMs = lastPollsOf(batch).map(({ config }) => lastPollMs(config.timeoutMs));
    const patienceMs = Math.min(longestPatienceMs, 1_000 + 10 * size);
    batch.endsAt = batch.startedAt + (lastMs.length > 0 ? Math.min(...lastMs) : patienceMs);
    nextListAt = batch.startedAt + listPaceFactor * paceMs;
    void ask(batch);
  };

  const gather = (): Batch => {
    const controller = new AbortController();
    const batch = { entries: new Map(), controller, isDue: false, startedAt: 0, endsAt: 0 };
    void begin(batch);
    return batch;
  };

  const join = (wait: PolledWait, isPrompt: boolean, since: number): Promise<Answer | undefined> =>
    wait.suspend<Answer>((resume) => {
      gathering ??= gather();
      const joined = gathering;
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
      list.reset();
    },
  };
};
