import type { Job } from "../contract/jobs.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { memoryOf } from "../resources/job-memory.ts";
import { type JobRef, readJobRef, usableIdOf } from "../resources/job-ref.ts";
import { advance, firstPollAt, type Seen } from "./advance.ts";
import { roundingMs } from "./clock.ts";
import { addDuration } from "./own-durations.ts";
import type { PollConfig, WaitProgress } from "./poll-options.ts";
import { beginTicket, type WaitTicket } from "./poll-ticket.ts";
import type { PolledWait } from "./polled-wait.ts";
import type { Poller } from "./poller.ts";
import { progressOf, tellObservers } from "./progress.ts";
import type { Semaphore } from "./semaphore.ts";
import { abortedWait } from "./wait-errors.ts";
import { listenToWaker } from "./waker.ts";

/** A woken wait polls once in this time at most. */
const wakePaceMs = 100;

/** Longest time for which a 429 that names none holds up the other waits. */
const longestPauseMs = 10_000;

/** One wait in this process: the loop over {@link advance}. Times are of the poller's clock. */
export class Wait implements PolledWait {
  readonly ref: JobRef;
  readonly config: PollConfig;
  readonly semaphore: Semaphore;
  readonly #poller: Poller;
  ticket: WaitTicket;
  polledAt: number;
  #pollAt: number;
  /** The largest percent that its progress has shown. */
  #percent = 0;
  /** It was woken, and has not polled since. */
  #isUrgent = false;
  /** Ends its standing still. */
  #resume: (() => void) | undefined;
  /** Ends its sleep, with what a list has shown of the job. */
  #offer: ((seen?: Seen) => void) | undefined;
  /** Follows the job that was seen at the deadline, unfinished. */
  #ending: AnyAdGenError | undefined;

  constructor(poller: Poller, ref: JobRef, config: PollConfig, semaphore = poller.semaphore) {
    const now = poller.begin();
    const submission = memoryOf(poller.reader)?.submissionOf(usableIdOf(ref) ?? "");
    const action = submission?.action ?? readJobRef(ref).action;
    const answeredAt = submission?.answeredAt;
    this.#poller = poller;
    this.ref = ref;
    this.config = config;
    this.semaphore = semaphore;
    this.ticket = beginTicket(ref, {
      now,
      timeoutMs: config.timeoutMs,
      action: typeof action === "string" ? action : undefined,
      submittedAt: answeredAt && now - Math.max(0, performance.now() - answeredAt),
    });
    const { durations, openTimes } = poller;
    const context = { now, config, durations, openTimes };
    this.#pollAt = firstPollAt(this.ticket, submission?.retryAfterMs, context);
    this.polledAt = now;
  }

  get isSleeping(): boolean {
    return this.#offer !== undefined;
  }

  get progress(): WaitProgress {
    const { clock, durations, openTimes, pausedUntil } = this.#poller;
    const progress = progressOf(this.ticket, {
      ...{ durations, openTimes, now: clock.now(), polledAt: this.polledAt },
      pollAt: Math.max(this.#pollAt, pausedUntil()),
    });
    const { estimate } = progress;
    if (estimate === undefined) return progress;
    // What other jobs teach meanwhile does not take the percent back.
    this.#percent = Math.max(this.#percent, estimate.percent);
    return { ...progress, estimate: { ...estimate, percent: this.#percent } };
  }

  /** Polls until the job has finished; by steps, until it is seen. */
  async run(isStepwise = false): Promise<Job> {
    if (this.#ending) throw this.#ending;
    this.#poller.enter(this);
    const { signal, waker } = this.config;
    const onAbort = () => this.#resume?.();
    signal?.addEventListener("abort", onAbort, { once: true });
    const stopListening = listenToWaker(waker, this.ticket.jobId ?? "", () => this.wake());
    try {
      // Waits that begin at one moment are counted first: many share a list.
      await undefined;
      for (;;) {
        const seen = await this.#poll();
        const isEnd = this.#settle(seen);
        this.semaphore.release(this);
        if (seen.job && (isStepwise || (isEnd && !this.#ending))) return seen.job;
        if (this.#ending) throw this.#ending;
      }
    } finally {
      stopListening();
      // Old polyfills have no such method.
      signal?.removeEventListener?.("abort", onAbort);
      this.#poller.leave(this);
    }
  }

  /** Sleeps until the next poll is due, and polls. A list may show the job meanwhile. */
  async #poll(): Promise<Seen> {
    let sleptUntil = 0;
    for (;;) {
      const { clock, pausedUntil, nextListFor, getJob } = this.#poller;
      // Under some fake timers the clock lags behind what was slept.
      const now = Math.max(clock.now(), sleptUntil);
      const { signal } = this.config;
      if (signal?.aborted) throw abortedWait(this.ticket, now, signal);
      const { polls, startedAt, deadlineAt } = this.ticket;
      const isFirst = polls === 0 && this.#pollAt - startedAt < roundingMs;
      if (this.#isUrgent) {
        const soonest = polls === 0 ? now : this.polledAt + wakePaceMs;
        this.#pollAt = Math.min(this.#pollAt, Math.max(now, soonest));
      }
      // Woken, or begun just now where there is a turn: nothing but a 429 holds it back.
      const isPrompt = this.#isUrgent || (isFirst && this.semaphore.isFree());
      const heldUntil = Math.max(pausedUntil(), isPrompt ? 0 : nextListFor(this));
      const dueAt = Math.min(Math.max(this.#pollAt, heldUntil), deadlineAt);
      const isDue = dueAt - now <= roundingMs;
      if (isDue) this.#isUrgent = false;
      const seen = await (isDue ? getJob(this, isPrompt) : this.#sleepUntil(dueAt));
      // A poll that was put off is slept for again, by the clock.
      sleptUntil = seen === "slept" ? dueAt : 0;
      if (seen !== "slept" && seen !== undefined) return seen;
    }
  }

  /** Notes what was seen, and tells it. Says whether it is the end. */
  #settle(seen: Seen): boolean {
    const { clock, durations, openTimes, pauseUntil } = this.#poller;
    const { config } = this;
    const now = clock.now();
    const { ticket, pollAt, duration, error } = advance(this.ticket, seen, {
      ...{ now, config, durations, openTimes },
    });
    const isEnd = pollAt === undefined;
    this.ticket = ticket;
    this.polledAt = now;
    this.#pollAt = pollAt ?? now;
    if (seen.error?.status === 429) {
      // Its own pace is no reason to hold up others for long.
      const { retryAfterMs = Math.min(this.#pollAt - now, longestPauseMs) } = seen;
      pauseUntil(now + retryAfterMs);
    }
    if (duration !== undefined) addDuration(durations, ticket.action, duration);
    this.#ending = error;
    // Nobody who is told of the end finds the wait still there.
    if (isEnd) this.#poller.leave(this);
    tellObservers(config, seen, error, () => this.progress);
    return isEnd;
  }

  suspend<Answer>(
    begin: (resume: (answer?: Answer) => void) => () => void,
  ): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      let undo = () => {};
      let hasEnded = false;
      const resume = (answer?: Answer): void => {
        hasEnded = true;
        this.#resume = undefined;
        undo();
        resolve(answer);
      };
      this.#resume = resume;
      undo = begin(resume);
      // It may have gone on at once.
      if (hasEnded) undo();
    });
  }

  /** Sleeps until a time, a wake, an abort, or a list that shows the job. */
  #sleepUntil(at: number): Promise<Seen | "slept" | undefined> {
    return this.suspend<Seen | "slept">((resume) => {
      const undo = this.#poller.clock.ringAt(at, () => resume("slept"));
      this.#offer = resume;
      return () => {
        this.#offer = undefined;
        undo();
      };
    });
  }

  offer(seen: Seen): void {
    this.#offer?.(seen);
  }

  pollNow(): void {
    this.#pollAt = Math.min(this.#pollAt, this.#poller.clock.now());
    this.#offer?.();
  }

  wake(): void {
    this.#isUrgent = true;
    this.#offer?.();
  }
}
