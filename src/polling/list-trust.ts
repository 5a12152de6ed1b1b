import type { Clock } from "./clock.ts";
import type { PolledWait } from "./polled-wait.ts";

/** A list's word holds for a wait this long; then a single poll confirms it. */
const trustMs = 30_000;
/** Single polls that confirm are so far apart: many waits do not undo the list's gain. */
const confirmPaceMs = 2_000;

/** Remembers for which waits the list is believed, and when a single poll has last said so. */
export const createListTrust = (clock: Clock) => {
  /** When a single poll has last shown a wait's job; its begin, before. */
  const confirmedAt = new WeakMap<PolledWait, number>();
  /** Waits that poll singly, and since when the list shows their jobs finished. */
  const unlisted = new WeakMap<PolledWait, { readonly listedAt: number | undefined }>();
  let nextConfirmAt = 0;

  return {
    isListed: (wait: PolledWait): boolean => !unlisted.has(wait),
    listedAt: (wait: PolledWait): number | undefined => unlisted.get(wait)?.listedAt,
    noteListed: (wait: PolledWait): void => void unlisted.delete(wait),
    noteConfirmed: (wait: PolledWait): void => void confirmedAt.set(wait, clock.now()),

    /** Leaves a wait to itself, until a list shows its job unfinished. */
    noteUnlisted: (wait: PolledWait, hasFinished = false): void => {
      const { listedAt = hasFinished ? clock.now() : undefined } = unlisted.get(wait) ?? {};
      unlisted.set(wait, { listedAt });
    },

    /** Takes the wait that no single poll has confirmed for longest, when it is time for one. */
    takeDoubtful: (listed: readonly PolledWait[]): PolledWait | undefined => {
      const now = clock.now();
      if (now < nextConfirmAt) return undefined;
      // Where there are many, the first begin early, so that the last are not late.
      let oldestAt = now - Math.max(0, trustMs - listed.length * confirmPaceMs);
      let oldest: PolledWait | undefined;
      for (const wait of listed) {
        const at = confirmedAt.get(wait) ?? wait.ticket.startedAt;
        if (at < oldestAt) [oldest, oldestAt] = [wait, at];
      }
      if (oldest !== undefined) nextConfirmAt = now + confirmPaceMs;
      return oldest;
    },
  };
};
