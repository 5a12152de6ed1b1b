interface PageTarget {
  readonly visibilityState?: string;
  readonly addEventListener?: (name: string, listener: () => void) => void;
  readonly removeEventListener?: (name: string, listener: () => void) => void;
}

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
  const events: readonly (readonly [PageTarget | undefined, name: string])[] = [
    [document, "visibilitychange"],
    [document, "resume"],
    [page, "pageshow"],
    [page, "online"],
  ];
  for (const [target, name] of events) target?.addEventListener?.(name, wakeIfVisible);
  return () => {
    for (const [target, name] of events) target?.removeEventListener?.(name, wakeIfVisible);
  };
};
