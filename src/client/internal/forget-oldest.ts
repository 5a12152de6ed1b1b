/** Number of things of a kind that a process remembers. */
export const maxRemembered = 10_000;

/** Forgets what was noted first, where there is too much. */
export const forgetOldest = <K>(noted: Map<K, unknown> | Set<K>, max = maxRemembered): void => {
  for (const oldest of noted.keys()) {
    if (noted.size <= max) return;
    noted.delete(oldest);
  }
};
