import { describeValue } from "../errors/text.ts";
import { notify } from "../hooks.ts";
import { type JobRef, readJobRef } from "../request/job-ref.ts";

/** Wakes waits, as a webhook's route does: see {@link createWaker}. */
export interface Waker {
  /**
   * Makes every wait for this job poll at once. A wake that comes before its wait begins counts for
   * a minute.
   *
   * @returns `true` when a wait was there to be woken
   */
  wake(job: JobRef): boolean;
  /**
   * Calls a function at each wake of a job: waits do so. What a waker of your own throws here is
   * printed, and the wait goes on.
   *
   * @returns Function that ends it
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
  const early = new Map<string, number>();

  const rememberEarly = (jobId: string): void => {
    early.delete(jobId);
    early.set(jobId, performance.now());
    const [oldest] = early.keys();
    if (oldest !== undefined && early.size > rememberedWakes) early.delete(oldest);
  };

  return {
    wake(job) {
      const { id } = readJobRef(job);
      if (typeof id !== "string") return false;
      const woken = listeners.get(id);
      if (woken === undefined) rememberEarly(id);
      else for (const listener of [...woken]) listener();
      return woken !== undefined;
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
 * @returns Function that ends it
 */
export const listenToWaker = (
  waker: Waker | undefined,
  jobId: string,
  wake: () => void,
): (() => void) => {
  let stop: (() => void) | undefined;
  const listen = () => {
    const given: unknown = waker?.onWake(jobId, wake);
    if (typeof given !== "function") {
      throw new TypeError(`it must give a function that ends it, got ${describeValue(given)}`);
    }
    stop = given as () => void;
  };
  if (waker !== undefined) notify("waker.onWake", listen, undefined);
  return () => notify("the function of waker.onWake", stop, undefined);
};

interface PageTarget {
  readonly visibilityState?: string;
  readonly addEventListener?: (name: string, listener: () => void) => void;
  readonly removeEventListener?: (name: string, listener: () => void) => void;
}

const events = ["visibilitychange", "resume", "pageshow", "online"];

/**
 * Calls `wake` when a page is shown again, resumed, or back on the network: browsers hold up the
 * timers of hidden pages. Does nothing where there is no page.
 *
 * @returns Function that takes the listeners away
 */
export const listenToPage = (wake: () => void): (() => void) => {
  const page = globalThis as PageTarget & { readonly document?: PageTarget };
  const { document } = page;
  const wakeIfVisible = () => {
    if (document?.visibilityState !== "hidden") wake();
  };
  const each = (method: "addEventListener" | "removeEventListener") => {
    for (const target of [document, page]) {
      for (const name of events) target?.[method]?.(name, wakeIfVisible);
    }
  };
  each("addEventListener");
  return () => each("removeEventListener");
};
