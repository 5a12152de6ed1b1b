import { memoryOf } from "../resources/job-memory.ts";
import type { JobReader } from "../resources/job-ref.ts";
import { isLastPoll, type Seen } from "./advance.ts";
import { type Alarm, createAlarm, roundingMs } from "./alarm.ts";
import { type Clock, createClock } from "./clock.ts";
import { createLoader } from "./loader.ts";
import { durationsOf } from "./own-durations.ts";
import { listenToPage } from "./page-events.ts";
import type { PolledWait } from "./polled-wait.ts";
import { lastPollMs, readJob } from "./read-job.ts";
import type { LearnedDurations } from "./schedule/durations.ts";
import { createSemaphore, type Semaphore } from "./semaphore.ts";
import { createSignalWatch } from "./signals.ts";

/** A page that comes back has its waits poll, where their last poll is older. */
const freshMs = 1_000;

/** All that the waits of one client share. */
export interface Poller {
  readonly reader: JobReader;
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly durations: LearnedDurations;
  /** Of waits without a semaphore of their own. */
  readonly semaphore: Semaphore;
  /** All that wait now. */
  readonly waits: ReadonlySet<PolledWait>;
  /** Gives the time at which a wait begins. */
  readonly begin: () => number;
  readonly enter: (wait: PolledWait) => void;
  readonly leave: (wait: PolledWait) => void;
  /** A 429 holds up every wait. */
  readonly pauseUntil: (at: number) => void;
  readonly pausedUntil: () => number;
  /** Time of the next list that this wait may share. */
  readonly nextListFor: (wait: PolledWait) => number;
  /** Polls by a list or singly; `undefined` where the wait was aborted, or is to poll anew. */
  readonly getJob: (wait: PolledWait, isPrompt: boolean) => Promise<Seen | undefined>;
  /**
   * Polls singly.
   *
   * @param since - When the wait began to ask: the time of a last poll counts from then on
   */
  readonly pollSingly: (
    wait: PolledWait,
    since: number,
    longestMs?: number,
  ) => Promise<Seen | undefined>;
  /** Gives the turn of a single poll back: its wait has settled, so that a 429 holds the next. */
  readonly endTurn: (wait: PolledWait) => void;
}

const createPoller = (reader: JobReader): Poller => {
  const clock = createClock();
  const waits = new Set<PolledWait>();
  const signals = createSignalWatch();
  /** Waits whose single poll is under way. */
  const turns = new Set<PolledWait>();
  let pausedUntil = 0;
  let leavePage = () => {};

  const wakeAll = (): void => {
    for (const wait of waits) if (clock.now() - wait.polledAt >= freshMs) wait.wake();
  };

  /** Stands in line, if need be for all the time of the last poll. Says whether it has a turn. */
  const takeTurn = (wait: PolledWait, until: number): Promise<boolean | undefined> =>
    wait.suspend<boolean>((resume) => {
      const undoAlarm = alarm.set(until, () => resume(false));
      const leaveLine = wait.semaphore.acquire(() => resume(true));
      return () => {
        undoAlarm();
        leaveLine();
      };
    });

  const alarm = createAlarm(clock);
  const poller: Poller = {
    ...{ reader, clock, alarm, waits },
    durations: durationsOf(memoryOf(reader)?.durations),
    semaphore: createSemaphore(),
    begin: () => (waits.size === 0 ? clock.restart() : clock.now()),
    enter: (wait) => {
      if (waits.size === 0) leavePage = listenToPage(wakeAll);
      waits.add(wait);
      signals.add(wait);
    },
    leave: (wait) => {
      poller.endTurn(wait);
      if (!waits.delete(wait)) return;
      signals.remove(wait);
      if (waits.size > 0) return;
      loader.reset();
      leavePage();
    },
    pauseUntil: (at) => {
      pausedUntil = Math.max(pausedUntil, at);
    },
    pausedUntil: () => pausedUntil,
    nextListFor: (wait) => loader.nextListFor(wait),
    getJob: (wait, isPrompt) => loader.getJob(wait, isPrompt),

    pollSingly: async (wait, since, longestMs = Number.POSITIVE_INFINITY) => {
      const { ref, config } = wait;
      const { deadlineAt } = wait.ticket;
      const endsAt = Math.max(deadlineAt, since) + lastPollMs(config.timeoutMs);
      const hasTurn = await takeTurn(wait, Math.min(endsAt, since + longestMs));
      const askedAt = clock.now();
      if (hasTurn === false) return { askedAt };
      if (hasTurn === undefined) return undefined;
      turns.add(wait);
      if (askedAt < Math.min(pausedUntil, deadlineAt) - roundingMs) {
        poller.endTurn(wait);
        return undefined;
      }
      const isLast = isLastPoll(wait.ticket, askedAt);
      const leftMs = (isLast ? endsAt : deadlineAt) - askedAt;
      const totalTimeoutMs = Math.max(1, isLast ? leftMs : Math.min(leftMs, longestMs));
      const limits = { askedAt, signal: config.signal, totalTimeoutMs };
      const seen = await readJob(reader, ref, limits);
      // Before anything follows from this poll: others may stand behind it.
      if (seen.error?.status === 429) poller.pauseUntil(clock.now() + (seen.retryAfterMs ?? 0));
      return seen;
    },
    endTurn: (wait) => {
      if (turns.delete(wait)) wait.semaphore.release();
    },
  };
  const loader = createLoader(poller);
  return poller;
};

const pollers = new WeakMap<JobReader, Poller>();

/** Gives the poller of `client.jobs`: one for all its waits. */
export const pollerOf = (reader: JobReader): Poller => {
  const known = pollers.get(reader);
  if (known !== undefined) return known;
  const poller = createPoller(reader);
  pollers.set(reader, poller);
  return poller;
};
