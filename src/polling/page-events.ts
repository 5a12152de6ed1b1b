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
