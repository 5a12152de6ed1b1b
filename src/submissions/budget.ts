import { addFields } from "../client/errors/adgen-error.ts";
import { isAdGenError } from "../client/errors/errors.ts";
import { makeError } from "../client/errors/make-error.ts";
import { waitAtMost } from "../client/internal/sleep.ts";
import { refuseWrite } from "../client/options/rules.ts";
import type { PaidCall, SendPaid } from "../client/options/submissions.ts";
import type { StoreClock } from "./store/clock.ts";
import { jobMethod } from "./store/record.ts";
import type { RecordStore } from "./store/record-store.ts";
import {
  createUsageLimits,
  type ExceededLimit,
  nameOfKind,
  requestCostOf,
  type UsageLimits,
} from "./store/usage-limits.ts";

/** Maximum time for which a call waits until its unused reservation is given back. */
const giveBackMs = 1_000;

const overBudget = ({ window, amount, retryAfterMs, limit }: ExceededLimit) => {
  const name = `budget.${window}.${limit.kind}`;
  const whatToDo =
    retryAfterMs === undefined
      ? `raise ${name}, or ask for less`
      : `raise ${name}, or wait until ${new Date(limit.endsAt).toISOString()}`;
  return makeError(
    "payment_required",
    `the budget of ${limit.limit} ${nameOfKind[limit.kind]} in a ${window} does not suffice for this ` +
      `job, which takes ${amount}. Nothing was sent: ${whatToDo}`,
    { outcome: "not-sent", limit, retryAfterMs },
  );
};

const abortedError = ({ reason }: AbortSignal) =>
  makeError("aborted", "the submission was aborted before anything was sent", {
    outcome: "not-sent",
    cause: reason,
  });

const timeoutError = () =>
  makeError(
    "timeout",
    "the call timed out while the store counted the budget, so nothing was sent: submit again, or " +
      "give the call more time",
    { outcome: "not-sent" },
  );

/** Marks a failure as one that came before the request, so that the id becomes free. */
const asNotSent = (error: unknown): unknown =>
  isAdGenError(error) ? addFields(error, { outcome: "not-sent" }) : error;

/**
 * Counts each job against a budget, just before its request leaves. A job that the service may have
 * made stays counted. The reservation of a job that was certainly not made is given back.
 */
export const createBudget = (
  store: RecordStore,
  clock: StoreClock,
  budget: UsageLimits | undefined,
) => {
  const usage = createUsageLimits(store, clock.wall);

  /** Returns a `send` that reserves the cost of the job before it sends. */
  return ({ method, body, signal }: PaidCall, send: SendPaid): SendPaid => {
    if (budget === undefined || method !== jobMethod) return send;
    return async (turn) => {
      const cost = requestCostOf(body, budget, refuseWrite);
      const work = usage.reserve("budget", budget, cost);
      const isInTime = await waitAtMost(clock, turn.leftMs(), signal, work).catch((error) => {
        throw asNotSent(error);
      });
      if (!isInTime) {
        void work.then(({ giveBack }) => giveBack()).catch(() => {});
        throw signal?.aborted ? abortedError(signal) : timeoutError();
      }
      const { exceeded, giveBack } = await work;
      if (exceeded !== undefined) throw overBudget(exceeded);
      const giveAllBack = () =>
        waitAtMost(clock, Math.min(giveBackMs, turn.leftMs()), signal, giveBack());
      try {
        const answer = await send(turn);
        if (answer === undefined) await giveAllBack();
        return answer;
      } catch (error) {
        const { outcome = "unknown" } = isAdGenError(error) ? error : {};
        if (outcome !== "unknown") await giveAllBack();
        throw error;
      }
    };
  };
};
