import type { Clock } from "./clock.ts";

/** Pauses between tries to write what a store has refused. They end after about an hour. */
const firstPauseMs = 100;
const longestPauseMs = 60_000;
const mostRetries = 64;

/**
 * Writes what must not get lost: it is tried again for as long as the store fails, for about an
 * hour. It never rejects, and does not keep the process alive. Gives whether it was written.
 *
 * @param onFailure - Called when a try fails, with the number of those before it
 */
export const tryLong = async (
  clock: Clock,
  write: () => Promise<unknown>,
  onFailure: (error: unknown, tries: number) => void = () => {},
): Promise<boolean> => {
  for (let tries = 0; tries <= mostRetries; tries++) {
    try {
      await write();
      return true;
    } catch (error) {
      onFailure(error, tries);
    }
    await clock.rest(Math.min(firstPauseMs * 2 ** tries, longestPauseMs));
  }
  return false;
};
