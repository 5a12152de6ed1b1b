import type { PollOptions } from "./poll-options.ts";

/**
 * Function of the option `wake`: subscribes a wait to something that knows sooner than a poll that its
 * job has changed, and returns the function that ends the subscription.
 */
export type Wake = NonNullable<PollOptions["wake"]>;

interface PageTarget {
  readonly visibilityState?: string;
  readonly addEventListener?: (name: string, listener: () => void) => void;
  readonly removeEventListener?: (name: string, listener: () => void) => void;
}

/** Wakes when a page is shown again, where there is one: browsers hold up the timers of hidden pages. */
const wakeByPage: Wake = (pollNow) => {
  const { document } = globalThis as { readonly document?: PageTarget };
  const onChange = () => {
    if (document?.visibilityState !== "hidden") pollNow();
  };
  document?.addEventListener?.("visibilitychange", onChange);
  return () => document?.removeEventListener?.("visibilitychange", onChange);
};

/** Calls a function of the caller's; what it throws is printed. */
const tryTo = <Value>(call: () => Value): Value | undefined => {
  try {
    return call();
  } catch (error) {
    console.error("adgen-sdk: wake failed", error);
    return undefined;
  }
};

/** Subscribes a wait to the page, and to what its caller gave. Returns the end of both. */
export const subscribe = (wake: Wake | undefined, pollNow: () => void): (() => void) => {
  const ends = [wakeByPage, wake].map((each) => each && tryTo(() => each(pollNow)));
  return () => {
    for (const end of ends) if (typeof end === "function") tryTo(end);
  };
};
