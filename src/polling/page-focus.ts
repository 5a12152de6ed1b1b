interface PageTarget {
  readonly visibilityState?: string;
  readonly addEventListener?: (name: string, listener: () => void) => void;
  readonly removeEventListener?: (name: string, listener: () => void) => void;
}

/**
 * Calls `listener` when a page is shown again: browsers hold up the timers of hidden pages. Does nothing
 * where there is no page.
 *
 * @returns Function that removes the listener
 */
export const listenToPage = (listener: () => void): (() => void) => {
  const { document } = globalThis as { readonly document?: PageTarget };
  const onChange = () => {
    if (document?.visibilityState !== "hidden") listener();
  };
  document?.addEventListener?.("visibilitychange", onChange);
  return () => document?.removeEventListener?.("visibilitychange", onChange);
};
