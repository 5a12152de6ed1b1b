import type { RecordStore } from "../submissions/store/record-store.ts";
import {
  createUsageLimits,
  nameOfKind,
  type RequestCost,
} from "../submissions/store/usage-limits.ts";
import { refuseRequest } from "./answer.ts";
import type { LimitUsage, OwnerLimits } from "./proxy-options.ts";

const placeOf = (owner: string): string => `limit:${encodeURIComponent(owner)}`;

/** Creates the limits of owners. The messages of their refusals are for pages. */
export const createLimits = (store: RecordStore) => {
  const usage = createUsageLimits(store, () => Date.now());
  return {
    /**
     * Reserves what a job will use before it is submitted. Returns the function that gives it back.
     * A job that does not fit is refused with 402, and reserves nothing.
     */
    async reserve(
      owner: string,
      limits: OwnerLimits,
      cost: RequestCost,
    ): Promise<() => Promise<void>> {
      const { exceeded, giveBack } = await usage.reserve(placeOf(owner), limits, cost);
      if (exceeded === undefined) return giveBack;
      const { window, amount, retryAfterMs, limit } = exceeded;
      const words =
        `this app's limit is reached: ${limit.limit} ${nameOfKind[limit.kind]} in a ${window} for ` +
        `each user, and this job takes ${amount}. Nothing was sent or charged`;
      return refuseRequest(402, words, { retryAfterMs, limit });
    },
    /** Returns how much of each limit is used. */
    readUsage: (owner: string, limits: OwnerLimits): Promise<LimitUsage[]> =>
      usage.readUsage(placeOf(owner), limits),
  };
};
