import type { CallOptions } from "../options/call-options.ts";
import { memoryOf } from "../resources/job-memory.ts";
import type { JobReader } from "../resources/job-ref.ts";
import { isLastPoll, lastPollMs } from "./advance.ts";
import { createClock, roundingMs } from "./clock.ts";
import { createLoader, type PollSingly } from "./loader.ts";
import { durationsOf } from "./own-durations.ts";
import { listenToPage } from "./page-events.ts";
import type { PolledWait } from "./polled-wait.ts";
import { type Read, readOnce } from "./read-once.ts";
import { createSemaphore } from "./semaphore.ts";

/** A page that comes back has its waits poll, where their last poll is older. */
const freshMs = 1_000;

/** Pause after a 429 that names none. */
const usualPauseMs = 1_000;

const createPoller = (reader: JobReader) => {
  const clock = createClock();
  const waits = new Set<PolledWait>();
  let pausedUntil = 0;
  let leavePage = () => {};

  const wakeAll = (): void => {
    for (const wait of waits) if (clock.now() - wait.polledAt >= freshMs) wait.wake();
  };

  /** Sends one request. A 429 holds up every wait. */
  const read: Read = async (request, ms, signal) => {
    const outcome = await readOnce(request, ms, signal);
    const { error, retryAfterMs = usualPauseMs } = outcome;
    if (error?.status === 429) pausedUntil = Math.max(pausedUntil, clock.now() + retryAfterMs);
    return outcome;
  };

  /** Polls one job; `undefined` where the wait was aborted in line, or is to sleep on. */
  const pollSingly: PollSingly = async (wait, longestMs = Number.POSITIVE_INFINITY) => {
    const { ref, config, ticket, semaphore, dueSince } = wait;
    const { deadlineAt } = ticket;
    const lastEndsAt = Math.max(deadlineAt, dueSince) + lastPollMs(ticket);
    if (!semaphore.take(wait)) {
      // If need be, it stands in line for all the time of the last poll.
      const until = Math.min(lastEndsAt, clock.now() + longestMs);
      const given = await wait.park(until, () => semaphore.leaveLine(wait));
      if (given === "late") return { askedAt: clock.now() };
      if (given === undefined) return undefined;
    }
    try {
      const askedAt = clock.now();
      if (askedAt < Math.min(pausedUntil, deadlineAt) - roundingMs) return undefined;
      const isLast = isLastPoll(ticket, askedAt);
      const endsAt = isLast ? lastEndsAt : Math.min(deadlineAt, askedAt + longestMs);
      const get = (options: CallOptions) => reader.get(ref, options);
      const { value, ...seen } = await read(get, endsAt - askedAt, config.signal);
      return { ...seen, job: value, askedAt };
    } finally {
      semaphore.release();
    }
  };

  /** Lets waits learn from the jobs of others that still run. */
  const openTimes = (action: string): readonly number[] =>
    [...waits].flatMap(({ ticket }) => {
      const { submittedAt, openAt } = ticket;
      const isKnown = ticket.action === action && submittedAt !== undefined && openAt !== undefined;
      return isKnown ? [openAt - submittedAt] : [];
    });

  const loader = createLoader(reader, { clock, waits, read, pollSingly });
  return {
    reader,
    clock,
    lessons: { durations: durationsOf(memoryOf(reader)?.durations), openTimes },
    /** Of waits without a semaphore of their own. */
    semaphore: createSemaphore(),
    /** Says until when a wait is held up: by a 429, or by the next list that it may share. */
    heldUntil: (wait: PolledWait, isPrompt = false): number =>
      Math.max(pausedUntil, isPrompt ? 0 : loader.nextListFor(wait)),
    /** Polls by a list or singly; `undefined` where the wait was aborted, or is to poll anew. */
    getJob: loader.getJob,
    /** Gives the time at which a wait begins. */
    begin: () => (waits.size === 0 ? clock.restart() : clock.now()),
    enter: (wait: PolledWait): void => {
      if (waits.size === 0) leavePage = listenToPage(wakeAll);
      waits.add(wait);
    },
    leave: (wait: PolledWait): void => {
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
