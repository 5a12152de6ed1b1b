import { memoryOf } from "../resources/job-memory.ts";
import type { JobReader } from "../resources/job-ref.ts";
import { isLastPoll } from "./advance.ts";
import { createClock, roundingMs } from "./clock.ts";
import { createLoader } from "./loader.ts";
import { durationsOf } from "./own-durations.ts";
import { listenToPage } from "./page-events.ts";
import type { PolledWait, PollSingly } from "./polled-wait.ts";
import { lastPollMs, readJob } from "./read-job.ts";
import { createSemaphore } from "./semaphore.ts";

/** A page that comes back has its waits poll, where their last poll is older. */
const freshMs = 1_000;

/** Makes all that the waits of one client share. */
const createPoller = (reader: JobReader) => {
  const clock = createClock();
  const waits = new Set<PolledWait>();
  let pausedUntil = 0;
  let leavePage = () => {};

  const wakeAll = (): void => {
    for (const wait of waits) if (clock.now() - wait.polledAt >= freshMs) wait.wake();
  };

  /** A 429 holds up every wait. */
  const pauseUntil = (at: number): void => {
    pausedUntil = Math.max(pausedUntil, at);
  };

  /** Stands in line, if need be for all the time of the last poll. Says whether it has a turn. */
  const takeTurn = (wait: PolledWait, until: number): Promise<boolean | undefined> =>
    wait.suspend<boolean>((resume) => {
      const undoAlarm = clock.ringAt(until, () => resume(false));
      const leaveLine = wait.semaphore.acquire(wait, () => resume(true));
      return () => {
        undoAlarm();
        leaveLine();
      };
    });

  const pollSingly: PollSingly = async (wait, since, longestMs = Number.POSITIVE_INFINITY) => {
    const { ref, config } = wait;
    const { deadlineAt } = wait.ticket;
    const endsAt = Math.max(deadlineAt, since) + lastPollMs(config.timeoutMs);
    const hasTurn = await takeTurn(wait, Math.min(endsAt, since + longestMs));
    const askedAt = clock.now();
    if (hasTurn === false) return { askedAt };
    if (hasTurn === undefined) return undefined;
    if (askedAt < Math.min(pausedUntil, deadlineAt) - roundingMs) {
      wait.semaphore.release(wait);
      return undefined;
    }
    const isLast = isLastPoll(wait.ticket, askedAt);
    const leftMs = isLast ? endsAt - askedAt : Math.min(deadlineAt - askedAt, longestMs);
    const limits = { askedAt, signal: config.signal, totalTimeoutMs: Math.max(1, leftMs) };
    const seen = await readJob(reader, ref, limits);
    // Before anything follows from this poll: others may stand behind it.
    if (seen.error?.status === 429) pauseUntil(clock.now() + (seen.retryAfterMs ?? 0));
    return seen;
  };

  /** Lets waits learn from the jobs of others that still run. */
  const openTimes = (action: string): number[] => {
    const times: number[] = [];
    for (const { ticket } of waits) {
      const { submittedAt, openAt } = ticket;
      if (ticket.action !== action || submittedAt === undefined || openAt === undefined) continue;
      times.push(openAt - submittedAt);
    }
    return times;
  };

  const loader = createLoader(reader, clock, waits, pollSingly);
  return {
    ...{ reader, clock, pauseUntil, openTimes },
    durations: durationsOf(memoryOf(reader)?.durations),
    /** Of waits without a semaphore of their own. */
    semaphore: createSemaphore(),
    /** Time of the next list that this wait may share. */
    nextListFor: loader.nextListFor,
    /** Polls by a list or singly; `undefined` where the wait was aborted, or is to poll anew. */
    getJob: loader.getJob,
    pausedUntil: () => pausedUntil,
    /** Gives the time at which a wait begins. */
    begin: () => (waits.size === 0 ? clock.restart() : clock.now()),
    enter: (wait: PolledWait): void => {
      if (waits.size === 0) leavePage = listenToPage(wakeAll);
      waits.add(wait);
    },
    leave: (wait: PolledWait): void => {
      wait.semaphore.release(wait);
      if (!waits.delete(wait) || waits.size > 0) return;
      loader.reset();
      leavePage();
    },
  };
};

/** All that the waits of one client share. */
export type Poller = ReturnType<typeof createPoller>;

const pollers = new WeakMap<JobReader, Poller>();

/** Gives the poller of `client.jobs`: one for all its waits. */
export const pollerOf = (reader: JobReader): Poller => {
  const poller = pollers.get(reader) ?? createPoller(reader);
  pollers.set(reader, poller);
  return poller;
};
