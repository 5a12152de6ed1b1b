import { describeValue } from "../errors/text.ts";
import { forgetOldest } from "../forget-oldest.ts";
import { callSafely } from "../hooks.ts";
import { type JobRef, readJobRef } from "../request/job-ref.ts";

/** Shortens waits, as from a webhook's route: see {@link createWaker}. */
export interface Waker {
  /**
   * Has every wait for this job poll at once. A wake that comes before its wait begins counts for
   * a minute.
   *
   * @returns `true` when a wait was there to be woken
   */
  wake(job: JobRef): boolean;
  /**
   * Adds a listener to the wakes of a job, as waits do. What a waker of your own throws here is
   * printed, and the wait goes on.
   *
   * @returns Function that removes the listener
   */
  onWake(jobId: string, listener: () => void): () => void;
}

const rememberedWakes = 1_000;
const rememberedMs = 60_000;

/**
 * Creates a waker, by which a webhook shortens waits. A webhook's body is never trusted: the wait
 * polls the job itself, with your key. Wakes of one job within 100 ms make one poll, and no wake
 * shortens the wait that a 429 asks for. Give the same waker to all waits of a process.
 *
 * @see API v1, section 6 "Events"
 * @example
 * const waker = createWaker();
 * const finished = pollJob(client, job, { waker });
 * // In the webhook's route:
 * waker.wake(job.job_id);
 */
export const createWaker = (): Waker => {
  const listeners = new Map<string, Set<() => void>>();
  /** Times of wakes that came before their wait. */
  const early = new Map<string, number>();

  return {
    wake(job) {
      const { id } = readJobRef(job);
      if (typeof id !== "string") return false;
      const woken = listeners.get(id);
      if (woken === undefined) {
        early.delete(id);
        early.set(id, performance.now());
        forgetOldest(early, rememberedWakes);
        return false;
      }
      for (const listener of [...woken]) listener();
      return true;
    },

    onWake(jobId, listener) {
      const others = listeners.get(jobId) ?? new Set();
      listeners.set(jobId, others.add(listener));
      const wokenAt = early.get(jobId);
      early.delete(jobId);
      if (wokenAt !== undefined && performance.now() - wokenAt < rememberedMs) listener();
      return () => {
        others.delete(listener);
        if (others.size === 0 && listeners.get(jobId) === others) listeners.delete(jobId);
      };
    },
  };
};

/**
 * Listens to the caller's waker. One that fails shortens no wait, and ends none.
 *
 * @returns Function that removes the listener
 */
export const listenToWaker = (
  waker: Waker | undefined,
  jobId: string,
  wake: () => void,
): (() => void) => {
  let stop: (() => void) | undefined;
  callSafely("waker.onWake", () => {
    const listening: unknown = waker?.onWake(jobId, wake);
    if (waker !== undefined && typeof listening !== "function") {
      throw new TypeError(`it must give a function that ends it, got ${describeValue(listening)}`);
    }
    stop = listening as typeof stop;
  });
  return () => callSafely("the function of waker.onWake", () => stop?.());
};

interface PageTarget {
  readonly visibilityState?: string;
  readonly addEventListener?: (name: string, listener: () => void) => void;
  readonly removeEventListener?: (name: string, listener: () => void) => void;
}

const events = ["visibilitychange", "resume", "pageshow", "online"];

/**
 * Calls `listener` when a page is shown again, resumed, or back on the network: browsers hold up the
 * timers of hidden pages. Does nothing where there is no page.
 *
 * @returns Function that removes the listeners
 */
export const listenToPage = (listener: () => void): (() => void) => {
  const page = globalThis as PageTarget & { readonly document?: PageTarget };
  const { document } = page;
  const onEvent = () => {
    if (document?.visibilityState !== "hidden") listener();
  };
  const each = (method: "addEventListener" | "removeEventListener") => {
    for (const target of [document, page]) {
      for (const name of events) target?.[method]?.(name, onEvent);
    }
  };
  each("addEventListener");
  return () => each("removeEventListener");
};
