import type { StoreClock } from "./clock.ts";

const firstPauseMs = 100;
const maxPauseMs = 60_000;

/** With these pauses, the retries end after about an hour. */
const maxRetries = 64;

/**
 * Calls `write`, and retries it for about an hour while it fails. It never rejects, and does not
 * keep the process alive.
 */
export const retryInBackground = async (
  clock: StoreClock,
  write: () => Promise<unknown>,
): Promise<void> => {
  for (let tries = 0; ; tries++) {
    try {
      await write();
      return;
    } catch {
      if (tries === maxRetries) return;
    }
    await clock.rest(Math.min(firstPauseMs * 2 ** tries, maxPauseMs));
  }
};
