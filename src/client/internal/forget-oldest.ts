/** Number of things of a kind that a process remembers. */
export const remembered = 10_000;

/** Forgets what was noted first, where there is too much. */
export const forgetOldest = <K>(noted: Map<K, unknown> | Set<K>, most = remembered): void => {
  for (const oldest of noted.keys()) {
    if (noted.size <= most) return;
    noted.delete(oldest);
  }
};
