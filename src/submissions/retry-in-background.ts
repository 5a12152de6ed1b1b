import type { Clock } from "./clock.ts";

/** Pauses between tries to write what a store has refused. They end after about an hour. */
const firstPauseMs = 100;
const longestPauseMs = 60_000;
const mostRetries = 64;

/**
 * Writes what must not get lost: it is tried again for as long as the store fails, for about an
 * hour. It never rejects, and does not keep the process alive. Resolves with the error of the last try;
 * `undefined` where it was written.
 */
export const retryInBackground = async (
  clock: Clock,
  write: () => Promise<unknown>,
): Promise<unknown> => {
  for (let tries = 0; ; tries++) {
    try {
      await write();
      return undefined;
    } catch (error) {
      if (tries === mostRetries) return error;
    }
    await clock.rest(Math.min(firstPauseMs * 2 ** tries, longestPauseMs));
  }
};
