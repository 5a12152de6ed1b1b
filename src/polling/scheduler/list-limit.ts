import type { AnyAdGenError } from "../../errors/errors.ts";

const smallestLimit = 20;
/** The largest limit that is asked for at first. The one that the service allows is not documented. */
const usualLimit = 1_000;
const largestLimit = 10_000;

/** Finds the `limit` by which the list shows all jobs that are waited for. @assumed A4 */
export const createListLimit = () => {
  let isTaken = true;
  let leastLimit = smallestLimit;
  let mostLimit = largestLimit;

  return {
    /** Gives the limit for a number of waits; `undefined` where the service takes none. */
    limitFor: (waits: number): number | undefined => {
      if (!isTaken) return undefined;
      const wanted = Math.min(2 * waits, usualLimit);
      return Math.min(Math.max(wanted, leastLimit), mostLimit);
    },

    /** Tells whether a list in which jobs are missing was cut short. The next limit is larger. */
    mayGrow: (limit: number | undefined, shown: number): boolean => {
      if (limit === undefined || shown < limit || limit >= mostLimit) return false;
      leastLimit = Math.min(4 * limit, mostLimit);
      return true;
    },

    /** Tells whether the list failed by its limit. The next one is smaller, or there is none. */
    mayShrink: (limit: number | undefined, error: AnyAdGenError): boolean => {
      if (limit === undefined) return false;
      if (error.code === "bad_request") {
        isTaken = false;
        return true;
      }
      if (error.code !== "decode" || error.reason !== "too-large" || limit <= smallestLimit) {
        return false;
      }
      mostLimit = Math.max(smallestLimit, Math.floor(limit / 4));
      leastLimit = smallestLimit;
      return true;
    },
  };
};
