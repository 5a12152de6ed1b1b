import { isFinished, type Job } from "../contract/jobs.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import type { CallOptions } from "../options/call-options.ts";
import type { JobReader } from "../request/job-ref.ts";
import { isLastPoll, lastPollMs, type Seen } from "./advance.ts";
import { type Clock, roundingMs } from "./clock.ts";
import { isSameFailure } from "./failures.ts";
import { createJobList, type ListedJobs, type Read } from "./job-list.ts";
import { readOnce } from "./read-once.ts";
import { type Given, type Wait, wake } from "./wait.ts";
import { ownError } from "./wait-errors.ts";

/** So many waits poll each for itself; more of them share a list. */
const fewWaits = 3;

/** The quickest pace of lists, where no wait asks for a quicker one. */
const listPaceMs = 1_000;
/** A little more, so that more waits are due. */
const listPaceFactor = 1.15;

/** Pause after a 429 that names none. */
const usualPauseMs = 1_000;

const longestPatienceMs = 10_000;

/** A list that has failed alone is not asked again for this time. */
const restMs = 60_000;

/** A 429 after so many failed polls may be about the list alone: single polls then show it. */
const manyRateLimits = 2;

/** A list's word holds for a wait this long; then the wait polls by itself. */
const trustMs = 9_000;
/** Times the waits: these polls are so far apart, because many of them would undo the list's gain. */
const confirmPaceMs = 10;

/** One list in place of many polls. */
interface Batch {
  readonly asking: Set<Wait>;
  readonly controller: AbortController;
  readonly askedAt: number;
}

/** A wait that has begun just now is not held back. */
const isPrompt = ({ ticket: { polls, startedAt }, pollAt }: Wait): boolean =>
  polls === 0 && pollAt - startedAt < roundingMs;

/**
 * Gets the jobs of the waits of a client. Polls that fall due together are answered by one list, as
 * DataLoader does, where that is of use.
 *
 * @param waits - The one that has polled by itself longest ago is the first
 */
export const createLoader = (reader: JobReader, clock: Clock, waits: Set<Wait>) => {
  let pausedUntil = 0;
  let gathering: Batch | undefined;
  let nextListAt = 0;
  let restsUntil = 0;
  let nextConfirmAt = 0;
  /** A poll has shown another status than a list. A later list that still has the old one lags. */
  let doubt: { readonly jobId: string; readonly status: string; readonly at: number } | undefined;
  /** No poll has shown the status of a list. */
  let isUnproven = true;

  /** Sends one request. A 429 holds up every wait. */
  const read: Read = async (request, endsAt, signal) => {
    const outcome = await readOnce(request, endsAt - clock.now(), signal);
    const { error, retryAfterMs = usualPauseMs } = outcome;
    if (error?.status === 429) pausedUntil = Math.max(pausedUntil, clock.now() + retryAfterMs);
    return outcome;
  };

  const list = createJobList(reader, read);

  const poll = async (
    { ref, listedAt }: Wait,
    endsAt: number,
    signal: AbortSignal | undefined,
  ): Promise<Seen> => {
    const askedAt = clock.now();
    const get = (options: CallOptions) => reader.get(ref, options);
    const { value: job, ...seen } = await read(get, endsAt, signal);
    return { ...seen, job, askedAt, listedAt };
  };

  /** Holds a list against a poll that came after it. */
  const judge = ({ job_id: jobId, status: polled }: Job, status: string): void => {
    if (polled !== status) {
      // The first poll comes at once, before much can have changed.
      if (isUnproven) restsUntil = clock.now() + restMs;
      else doubt ??= { jobId, status, at: clock.now() };
    }
    isUnproven = false;
  };

  /** Polls one job in its turn; `undefined` where the wait was aborted in line, or is to sleep on. */
  const pollSingly = async (wait: Wait, dueSince: number): Promise<Seen | undefined> => {
    const { config, ticket, semaphore, listedStatus } = wait;
    const { urgentMs = Number.POSITIVE_INFINITY } = wait;
    const { deadlineAt } = ticket;
    // The time of a last poll counts from when it was due.
    const lastEndsAt = Math.max(deadlineAt, dueSince) + lastPollMs(ticket);
    wait.urgentMs = undefined;
    wait.listedStatus = undefined;
    if (semaphore.free > 0) semaphore.free -= 1;
    else {
      const { line } = semaphore;
      line.add(wait);
      const given = await clock.park(wait, lastEndsAt, () => line.delete(wait));
      if (given === "late") return { askedAt: clock.now() };
      if (given === undefined) return undefined;
    }
    try {
      const now = clock.now();
      if (now < Math.min(pausedUntil, deadlineAt) - roundingMs) return undefined;
      const endsAt = isLastPoll(ticket, now) ? lastEndsAt : Math.min(deadlineAt, now + urgentMs);
      const seen = await poll(wait, endsAt, config.signal);
      if (listedStatus !== undefined && seen.job !== undefined) judge(seen.job, listedStatus);
      return seen;
    } finally {
      const [next] = semaphore.line;
      if (next === undefined) semaphore.free += 1;
      else next.resume?.("turn");
      waits.delete(wait);
      waits.add(wait);
    }
  };

  const mayShare = ({ urgentMs, listedAt }: Wait): boolean =>
    urgentMs === undefined &&
    listedAt === undefined &&
    waits.size > fewWaits &&
    list.isThere() &&
    clock.now() >= restsUntil;

  const rest = ({ asking }: Batch): void => {
    restsUntil = clock.now() + restMs;
    for (const wait of asking) wait.resume?.();
  };

  /** Shows the jobs to the waits that asked, and to those that sleep. */
  const show = (batch: Batch, { jobs, retryAfterMs, grow }: ListedJobs): void => {
    const { asking, askedAt } = batch;
    const now = clock.now();
    if (doubt !== undefined && askedAt >= doubt.at) {
      const lags = jobs.get(doubt.jobId)?.status === doubt.status;
      doubt = undefined;
      if (lags) {
        rest(batch);
        return;
      }
    }
    const paceMs = Math.max(trustMs / waits.size, confirmPaceMs * waits.size);
    const isEnd = ({ ticket }: Wait): boolean => {
      const status = jobs.get(ticket.jobId)?.status;
      return status !== undefined && isFinished(status);
    };
    // The first list is held against a poll at once; those for finished jobs are such polls.
    const isFirst = nextConfirmAt === 0;
    if (isFirst) nextConfirmAt = [...waits].some(isEnd) ? now + paceMs : now;
    for (const wait of waits) {
      const job = jobs.get(wait.ticket.jobId);
      let patienceMs: number | undefined;
      const isAsleep = wait.isOpen && wait.polledAt <= askedAt && wait.listedAt === undefined;
      if (!asking.has(wait) && !(isAsleep && job !== undefined)) continue;
      if (job === undefined) grow();
      // No list may hide the end of a job from its last poll.
      else if (!isLastPoll(wait.ticket, askedAt)) {
        if (isFinished(job.status)) {
          wait.listedAt = now;
        } else if (now < nextConfirmAt) {
          wait.resume?.({ job, retryAfterMs, askedAt });
          continue;
        } else {
          const nextMs = isFirst ? 2 * paceMs : paceMs;
          nextConfirmAt = Math.max(nextConfirmAt, now - trustMs) + nextMs;
          patienceMs = longestPatienceMs;
          wait.listedStatus = job.status;
        }
      }
      wake(wait, patienceMs);
    }
  };

  /** Tells whether a list's failure is one of all polls: one of them is made to see. */
  const isOfAllPolls = async ({ asking, controller }: Batch, error: AnyAdGenError) => {
    // No other poll may hold up those at their deadline.
    for (const wait of asking) if (isLastPoll(wait.ticket, clock.now())) wake(wait);
    const [one] = asking;
    if (one === undefined) return true;
    const seen = await poll(one, clock.now() + longestPatienceMs, controller.signal);
    // No wait needs the answer any more.
    const isLeft = controller.signal.aborted;
    if (asking.has(one)) one.resume?.(seen);
    return isLeft || (seen.error !== undefined && isSameFailure(seen.error, error));
  };

  const ask = async (batch: Batch): Promise<void> => {
    const { asking, controller, askedAt } = batch;
    const lastMs = [...asking]
      .filter(({ ticket }) => isLastPoll(ticket, askedAt))
      .map(({ ticket }) => lastPollMs(ticket));
    const isLast = lastMs.length > 0;
    // That of a last poll gets its time, and not the usual patience.
    const patienceMs = Math.min(longestPatienceMs, 1_000 + 10 * asking.size);
    const endsAt = askedAt + (isLast ? Math.min(...lastMs) : patienceMs);
    const listed = await list.read(waits.size, endsAt, controller.signal);
    const { error, retryAfterMs } = listed;
    if (error === undefined) {
      if (retryAfterMs !== undefined) nextListAt = Math.min(nextListAt, clock.now() + retryAfterMs);
      return show(batch, listed);
    }
    // A list that times out at the deadline leaves no time for another poll.
    const isOfList =
      error.status === 429
        ? [...asking].every(({ ticket }) => ticket.failedPolls >= manyRateLimits)
        : !(isLast && clock.now() >= endsAt) && !(await isOfAllPolls(batch, error));
    if (isOfList) return rest(batch);
    for (const wait of asking) {
      wait.resume?.({ error: ownError(error, wait.ticket.jobId), retryAfterMs, askedAt });
    }
  };

  /** Begins the list, or leaves few prompt waits to themselves. */
  const begin = async (batch: Batch): Promise<void> => {
    // All that fall due at this moment join first.
    await undefined;
    await undefined;
    gathering = undefined;
    const { asking } = batch;
    if (asking.size <= fewWaits && [...asking].every(isPrompt)) {
      for (const wait of asking) wake(wait);
      return;
    }
    let paceMs = listPaceMs;
    for (const { config } of waits) {
      const { intervalMs, maxIntervalMs, targetDelayMs } = config;
      paceMs = Math.min(paceMs, intervalMs ?? maxIntervalMs ?? targetDelayMs ?? paceMs);
    }
    nextListAt = clock.now() + listPaceFactor * paceMs;
    // A list of one's own may throw anything.
    await ask(batch).catch(() => rest(batch));
  };

  const gather = (): Batch => {
    const batch = {
      asking: new Set<Wait>(),
      controller: new AbortController(),
      askedAt: clock.now(),
    };
    void begin(batch);
    return batch;
  };

  /** Has a wait share the next list, until it sees its job or is to go on without. */
  const join = (wait: Wait): Promise<Given | undefined> => {
    gathering ??= gather();
    const batch = gathering;
    const { asking, controller, askedAt } = batch;
    asking.add(wait);
    wait.isOpen = true;
    const { deadlineAt } = wait.ticket;
    // The list of a last poll ends in time by itself.
    const until = isLastPoll(wait.ticket, askedAt) ? Number.POSITIVE_INFINITY : deadlineAt;
    return clock.park(wait, until, () => {
      asking.delete(wait);
      // No wait needs its answer any more.
      if (asking.size === 0 && gathering !== batch) controller.abort();
    });
  };

  return {
    /** Says until when a wait is held up: by a 429, or by the next list that it may share. */
    heldUntil: (wait: Wait): number =>
      Math.max(pausedUntil, mayShare(wait) && !isPrompt(wait) ? nextListAt : 0),

    /** Polls for a wait that is due; it sees its job, or is to look at the time again. */
    getJob: (wait: Wait, dueSince: number): Promise<Given | undefined> =>
      mayShare(wait) ? join(wait) : pollSingly(wait, dueSince),

    /** Begins anew with small lists, because nothing waits any more. */
    reset: (): void => {
      nextConfirmAt = 0;
      doubt = undefined;
      isUnproven = true;
      list.reset();
    },
  };
};
