import type { AnyAdGenError } from "../errors/errors.ts";

const smallestLimit = 20;
/** The largest limit that is asked for at first. The one that the service allows is not documented. */
const usualLimit = 1_000;
const largestLimit = 10_000;

/** Finds the `limit` by which the list shows all jobs that are waited for. @assumed A4 */
export const createListLimit = () => {
  let isTaken = true;
  let least = smallestLimit;
  let most = largestLimit;
  let last = smallestLimit;

  return {
    /**
     * Gives the limit for a number of waits; `undefined` where the service takes none. It does not
     * shrink while waits end, because the last of them may be for the oldest jobs.
     */
    limitFor: (waits: number): number | undefined => {
      least = Math.max(Math.min(2 * waits, usualLimit), least);
      last = Math.min(least, most);
      return isTaken ? last : undefined;
    },

    /** Begins anew, because nothing waits any more. */
    reset: (): void => {
      least = smallestLimit;
    },

    /** Tells whether a list of so many jobs was cut short by the limit. */
    wasCut: (limit: number | undefined, shown: number): boolean =>
      limit !== undefined && shown >= limit,

    /** Makes the next limit larger, where that is possible. */
    mayGrow: (): boolean => {
      least = Math.min(4 * last, most);
      return least > last;
    },

    /** Tells whether the list failed by its limit. The next one is smaller, or there is none. */
    mayShrink: (limit: number | undefined, error: AnyAdGenError): boolean => {
      if (limit === undefined) return false;
      if (error.code === "bad_request") isTaken = false;
      else if (error.code !== "decode" || error.reason !== "too-large") return false;
      most = Math.max(smallestLimit, Math.floor(limit / 4));
      least = smallestLimit;
      return !isTaken || limit > smallestLimit;
    },
  };
};
