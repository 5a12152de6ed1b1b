/*
 * Small tools without a subject of their own: sleeping, semaphores, ids, memories. This folder
 * imports nothing but the contract.
 */

/** Most entries that a process remembers of one kind. */
export const maxRemembered = 10_000;

/** Deletes the oldest entries beyond the limit. */
export const forgetOldest = <K>(noted: Map<K, unknown> | Set<K>, max = maxRemembered): void => {
  for (const oldest of noted.keys()) {
    if (noted.size <= max) return;
    noted.delete(oldest);
  }
};
