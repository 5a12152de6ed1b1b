import type { StoreClock } from "./clock.ts";

const firstPauseMs = 100;
const maxPauseMs = 60_000;

/** With these pauses, the retries end after about an hour. */
const maxRetries = 64;

/**
 * Calls `write`, and retries it for about an hour while it fails. It never rejects, and does not keep
 * the process alive. It resolves with the error of the last try, or with `undefined` after a success.
 */
export const retryInBackground = async (
  clock: StoreClock,
  write: () => Promise<unknown>,
): Promise<unknown> => {
  for (let tries = 0; ; tries++) {
    try {
      await write();
      return undefined;
    } catch (error) {
      if (tries === maxRetries) return error;
    }
    await clock.rest(Math.min(firstPauseMs * 2 ** tries, maxPauseMs));
  }
};
