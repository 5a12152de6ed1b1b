import type { Job } from "../contract/jobs.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { memoryOf } from "../resources/job-memory.ts";
import { type JobRef, readJobRef, usableIdOf } from "../resources/job-ref.ts";
import { firstPollAt, type Seen, type Step } from "./advance.ts";
import { roundingMs } from "./clock.ts";
import { conclude, notePercent, progressOf } from "./conclude.ts";
import type { PollConfig, WaitProgress } from "./poll-options.ts";
import { beginTicket, type WaitTicket } from "./poll-ticket.ts";
import type { Given, PolledWait } from "./polled-wait.ts";
import type { Poller } from "./poller.ts";
import type { Semaphore } from "./semaphore.ts";
import { abortedWait } from "./wait-errors.ts";
import { listenToWaker } from "./waker.ts";

/** A woken wait polls once in this time at most. */
const wakePaceMs = 100;

/** The job as seen, or the error that ends the wait: at the deadline, both. */
type Sight =
  | { readonly job: Job; readonly error?: undefined }
  | { readonly job?: Job | undefined; readonly error: AnyAdGenError };

/** One wait in this process: the loop over {@link advance}. Times are of the poller's clock. */
export class Wait implements PolledWait {
  readonly ref: JobRef;
  readonly config: PollConfig;
  readonly semaphore: Semaphore;
  readonly #poller: Poller;
  ticket: WaitTicket;
  polledAt: number;
  dueSince = Number.POSITIVE_INFINITY;
  isSleeping = false;
  #pollAt: number;
  /** It was woken, and has not polled since. */
  #isUrgent = false;
  #resume: ((given?: Given) => void) | undefined;

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
    const context = { now, config, ...poller.lessons };
    this.#pollAt = firstPollAt(this.ticket, submission?.retryAfterMs, context);
    this.polledAt = now;
  }

  get progress(): WaitProgress {
    const { clock, lessons, heldUntil } = this.#poller;
    const progress = progressOf(this.ticket, {
      ...lessons,
      now: clock.now(),
      polledAt: this.polledAt,
      pollAt: Math.max(this.#pollAt, heldUntil(this)),
    });
    this.ticket = notePercent(this.ticket, progress);
    return progress;
  }

  /** Polls until the job has finished; by steps, until it is seen. */
  async run(isStepwise = false): Promise<Sight> {
    this.#poller.enter(this);
    const { signal, waker } = this.config;
    const onAbort = () => this.resume();
    signal?.addEventListener("abort", onAbort, { once: true });
    const stopListening = listenToWaker(waker, this.ticket.jobId ?? "", () => this.wake());
    try {
      // Waits that begin at one moment are counted first: many share a list.
      await undefined;
      for (;;) {
        const seen = await this.#poll();
        const { error, job = isStepwise ? seen.job : undefined } = this.#settle(seen);
        if (error !== undefined) return { error, job };
        if (job !== undefined) return { job };
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
    const { clock, heldUntil, getJob } = this.#poller;
    const { signal } = this.config;
    const { polls, startedAt, deadlineAt } = this.ticket;
    const isFirst = polls === 0 && this.#pollAt - startedAt < roundingMs;
    for (let sleptUntil = 0; ; ) {
      // Under some fake timers the clock lags behind what was slept.
      const now = Math.max(clock.now(), sleptUntil);
      if (signal?.aborted) throw abortedWait(this.ticket, now, signal);
      if (this.#isUrgent) {
        const soonest = polls === 0 ? now : this.polledAt + wakePaceMs;
        this.#pollAt = Math.min(this.#pollAt, Math.max(now, soonest));
      }
      // Woken, or begun just now where there is a turn: nothing but a 429 holds it back.
      const isPrompt = this.#isUrgent || (isFirst && this.semaphore.isFree());
      const dueAt = Math.min(Math.max(this.#pollAt, heldUntil(this, isPrompt)), deadlineAt);
      let given: Given | undefined;
      if (dueAt - now > roundingMs) {
        this.isSleeping = true;
        given = await this.park(dueAt, () => {
          this.isSleeping = false;
        });
      } else {
        this.#isUrgent = false;
        this.dueSince = Math.min(this.dueSince, now);
        given = await getJob(this, isPrompt);
      }
      if (typeof given === "object") return given;
      // A poll that was put off is slept for again, by the clock.
      sleptUntil = given === "late" ? dueAt : 0;
    }
  }

  #settle(seen: Seen): Step {
    const { clock, lessons, heldUntil } = this.#poller;
    const { config } = this;
    const now = clock.now();
    const step = conclude(this.ticket, seen, { now, config, ...lessons }, heldUntil(this));
    this.ticket = step.ticket;
    this.polledAt = now;
    this.dueSince = Number.POSITIVE_INFINITY;
    this.#pollAt = step.pollAt ?? now;
    step.tellObservers();
    return step;
  }

  park(until: number | undefined, undo: () => void): Promise<Given | undefined> {
    return new Promise((resolve) => {
      const alarm = () => this.resume("late");
      const takeBack = until === undefined ? undefined : this.#poller.clock.ringAt(until, alarm);
      this.#resume = (given) => {
        this.#resume = undefined;
        takeBack?.();
        undo();
        resolve(given);
      };
    });
  }

  resume(given?: Given): void {
    this.#resume?.(given);
  }

  pollNow(): void {
    this.#pollAt = Math.min(this.#pollAt, this.#poller.clock.now());
    this.resume();
  }

  wake(): void {
    this.#isUrgent = true;
    if (this.isSleeping) this.resume();
  }
}
