import { isFinished } from "../contract/jobs.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import type { JobReader } from "../resources/job-ref.ts";
import { isLastPoll, lastPollMs, type Seen } from "./advance.ts";
import type { Clock } from "./clock.ts";
import { isSameFailure } from "./failures.ts";
import { createJobList, type ListedJobs } from "./job-list.ts";
import type { Given, PolledWait } from "./polled-wait.ts";
import type { Read } from "./read-once.ts";
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

/** A 429 after so many failed polls may be about the list alone: single polls then show it. */
const manyRateLimits = 2;

/** A list's word holds for a wait this long; then a single poll confirms it. */
const trustMs = 30_000;
/** Single polls that confirm are so far apart: many waits do not undo the list's gain. */
const confirmPaceMs = 2_000;

/** Failures that say something about the list alone, and nothing about the jobs. */
const ownFailures: readonly string[] = ["decode", "not_found", "bad_request", "invalid_request"];

const isOfList = ({ code, contentType }: AnyAdGenError): boolean =>
  ownFailures.includes(code) && (code !== "decode" || contentType === undefined);

/** One list in place of many polls. */
interface Batch {
  readonly asking: Set<PolledWait>;
  readonly controller: AbortController;
  /** One of its waits was due, and not only begun or woken: all see the list. */
  isDue: boolean;
  readonly askedAt: number;
}

interface Shared {
  readonly clock: Clock;
  readonly waits: ReadonlySet<PolledWait>;
  readonly read: Read;
  readonly pollSingly: PollSingly;
}

/** Polls one job, in a given time where another wait depends on it. */
export type PollSingly = (wait: PolledWait, longestMs?: number) => Promise<Seen | undefined>;

/** Answers polls that fall due together by one list, as DataLoader does, where that is of use. */
export const createLoader = (reader: JobReader, { clock, waits, read, pollSingly }: Shared) => {
  const list = createJobList(reader, read);
  let gathering: Batch | undefined;
  let nextListAt = 0;
  let restsUntil = 0;
  /** Time of the next single poll that confirms; 0 before the first list was held against one. */
  let nextConfirmAt = 0;
  /** When a single poll has last shown a wait's job. */
  const confirmedAt = new WeakMap<PolledWait, number>();
  /** Waits that poll singly, and since when the list shows their jobs finished. */
  const unlisted = new WeakMap<PolledWait, number | undefined>();

  const mayShare = (wait: PolledWait): boolean =>
    waits.size > (nextConfirmAt > 0 ? 1 : fewWaits) &&
    list.isThere() &&
    clock.now() >= restsUntil &&
    !unlisted.has(wait) &&
    wait.ticket.jobId !== undefined;

  const pollAlone = async (wait: PolledWait, longestMs?: number): Promise<Seen | undefined> => {
    const seen = await pollSingly(wait, longestMs);
    if (seen?.job !== undefined) confirmedAt.set(wait, clock.now());
    return seen && { ...seen, listedAt: unlisted.get(wait) };
  };

  const splitUp = ({ asking }: Batch): void => {
    for (const wait of asking) wait.resume("alone");
  };

  const giveUp = (batch: Batch): void => {
    restsUntil = clock.now() + restMs;
    nextConfirmAt = 0;
    splitUp(batch);
  };

  /** Holds a list against one single poll before any wait sees it: does it lag, or fail alone? */
  const isConfirmed = async ({ asking }: Batch, { jobs, error }: ListedJobs): Promise<boolean> => {
    // No other poll may hold up those at their deadline.
    for (const wait of asking) if (isLastPoll(wait.ticket, clock.now())) wait.resume("alone");
    for (const wait of asking) {
      const status = jobs.get(wait.ticket.jobId)?.status;
      if (error === undefined && (status === undefined || isFinished(status))) continue;
      const seen = await new Promise<Seen | undefined>((resolve) => wait.resume(resolve));
      if (seen === undefined) continue;
      if (error !== undefined) return seen.error !== undefined && isSameFailure(seen.error, error);
      return seen.job === undefined || seen.job.status === status;
    }
    return true;
  };

  /** Shows the jobs to the waits that asked, and to those that sleep. */
  const show = ({ asking, askedAt }: Batch, { jobs, retryAfterMs, wasCut }: ListedJobs): void => {
    const now = clock.now();
    const doubtOf = (wait: PolledWait) => confirmedAt.get(wait) ?? wait.ticket.startedAt;
    for (const wait of [...waits].sort((one, other) => doubtOf(one) - doubtOf(other))) {
      const job = jobs.get(wait.ticket.jobId);
      const hasFinished = job !== undefined && isFinished(job.status);
      const isAsking = asking.has(wait);
      const isFree = wait.isSleeping && wait.polledAt <= askedAt;
      // A longer list may show the jobs that are not in this one.
      const isConcerned = job === undefined ? isAsking && !wasCut : isAsking || isFree;
      if (!isConcerned) continue;
      if (job !== undefined && !hasFinished) {
        if (now < nextConfirmAt) {
          unlisted.delete(wait);
          wait.resume({ job, retryAfterMs, askedAt });
          continue;
        }
        nextConfirmAt += Math.max(confirmPaceMs, trustMs / waits.size);
      }
      // A result in a list is not checked. Where a single poll sees the job otherwise, that is
      // believed, and the list is not from then on.
      const listedAt = unlisted.get(wait);
      unlisted.set(wait, listedAt ?? (hasFinished ? now : undefined));
      if (isAsking || listedAt === undefined) wait.pollNow();
    }
  };

  /** Gives the end of a list. That of a last poll gets its time, and not the usual patience. */
  const endOf = ({ asking, askedAt }: Batch) => {
    const lastMs = [...asking]
      .filter(({ ticket }) => isLastPoll(ticket, askedAt))
      .map(({ ticket }) => lastPollMs(ticket));
    const patienceMs = Math.min(longestPatienceMs, 1_000 + 10 * asking.size);
    const isLast = lastMs.length > 0;
    return { isLast, endsAt: askedAt + (isLast ? Math.min(...lastMs) : patienceMs) };
  };

  const fail = async (batch: Batch, failed: ListedJobs, error: AnyAdGenError): Promise<void> => {
    const { asking, askedAt } = batch;
    const { retryAfterMs } = failed;
    if (isOfList(error)) return giveUp(batch);
    if (error.status === 429) {
      const isLasting = [...asking].every(({ ticket }) => ticket.failedPolls >= manyRateLimits);
      if (isLasting) restsUntil = clock.now() + (retryAfterMs ?? 0) + restMs;
    } else {
      const { isLast, endsAt } = endOf(batch);
      const isTooLate = isLast && clock.now() >= endsAt;
      if (!isTooLate && !(await isConfirmed(batch, failed))) return giveUp(batch);
    }
    for (const wait of asking) {
      wait.resume({ error: ownError(error, wait.ticket.jobId), retryAfterMs, askedAt });
    }
  };

  const ask = async (batch: Batch): Promise<void> => {
    const { asking, controller } = batch;
    const { endsAt } = endOf(batch);
    const listed = await list.read(waits.size, () => endsAt - clock.now(), controller.signal);
    const { error, retryAfterMs = Number.POSITIVE_INFINITY } = listed;
    if (error !== undefined) return fail(batch, listed, error);
    nextListAt = Math.min(nextListAt, clock.now() + retryAfterMs);
    if (nextConfirmAt === 0) {
      nextConfirmAt = clock.now() + confirmPaceMs;
      if (!(await isConfirmed(batch, listed))) return giveUp(batch);
    }
    show(batch, listed);
    if (listed.wasCut && asking.size > 0) {
      list.grow();
      return ask(batch);
    }
  };

  /** Begins the list, or leaves few prompt waits to themselves. */
  const begin = async (batch: Batch): Promise<void> => {
    // All that fall due at this moment join first.
    await undefined;
    await undefined;
    gathering = undefined;
    const { size } = batch.asking;
    if (size <= (batch.isDue ? 0 : fewWaits)) return splitUp(batch);
    let paceMs = listPaceMs;
    for (const { config } of waits) paceMs = Math.min(paceMs, config.leastWaitMs ?? paceMs);
    nextListAt = clock.now() + listPaceFactor * paceMs;
    // A list of one's own may throw anything.
    await ask(batch).catch(() => giveUp(batch));
  };

  const gather = (): Batch => {
    const [asking, controller] = [new Set<PolledWait>(), new AbortController()];
    const batch = { asking, controller, isDue: false, askedAt: clock.now() };
    void begin(batch);
    return batch;
  };

  const join = (wait: PolledWait, isPrompt: boolean): Promise<Given | undefined> => {
    gathering ??= gather();
    const batch = gathering;
    batch.asking.add(wait);
    if (!isPrompt) batch.isDue = true;
    // The list of a last poll ends in time by itself.
    const { deadlineAt } = wait.ticket;
    const until = isLastPoll(wait.ticket, clock.now()) ? undefined : deadlineAt;
    return wait.park(until, () => {
      batch.asking.delete(wait);
      // No wait needs its answer any more.
      if (batch.asking.size === 0 && gathering !== batch) batch.controller.abort();
    });
  };

  return {
    nextListFor: (wait: PolledWait): number => (mayShare(wait) ? nextListAt : 0),

    getJob: async (wait: PolledWait, isPrompt: boolean): Promise<Seen | undefined> => {
      if (!mayShare(wait)) return pollAlone(wait);
      const isLast = isLastPoll(wait.ticket, clock.now());
      const given = await join(wait, isPrompt);
      if (given === "alone") return pollAlone(wait);
      if (typeof given === "function") {
        const polled = pollAlone(wait, longestPatienceMs);
        polled.then(given, () => given(undefined));
        return polled;
      }
      if (typeof given !== "object") return undefined;
      if (given.job === undefined || !isLast) return given;
      // The last poll is single where there is a turn: no list can hide the end of a job.
      const own = await pollAlone(wait);
      return own && !own.job && !own.error ? given : own;
    },

    /** Begins anew with small lists, because nothing waits any more. */
    reset: (): void => {
      nextConfirmAt = 0;
      list.reset();
    },
  };
};
