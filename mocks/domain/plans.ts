import type { Action } from "../../src/contract/actions.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";

/** Choice of the requests that a plan is for. */
export interface PlanOptions {
  /** Count of the requests; `Infinity` for all. */
  readonly times: number;
  /** Only submissions of this action. */
  readonly action?: Action;
  /** Only requests of these operations. */
  readonly operation?: readonly EndpointName[];
  /** Only requests with this API key. */
  readonly account?: string;
  /** Likelihood that each of them meets it, drawn by the count of those seen. */
  readonly probability?: number;
}

/** A fault, or the end of a job, that waits for its requests. */
export interface Plan<What> {
  /** Number among all of its kind, from which its id is made. */
  readonly number: number;
  readonly what: What;
  readonly options: PlanOptions;
  /** Count of the requests that it was for. */
  seen: number;
  /** Count of the requests that have met it. */
  done: number;
}

/** Plans of one kind that wait. */
export interface Plans<What> {
  /** Count of all plans so far, from which the next id is made. */
  issued: number;
  /** Oldest first. */
  planned: readonly Plan<What>[];
}

/** Notes that a request has met a plan, which is gone when it was the last one. */
export const markDone = <What>(plans: Plans<What>, plan: Plan<What>): void => {
  plan.done += 1;
  if (plan.done >= plan.options.times)
    plans.planned = plans.planned.filter((other) => other !== plan);
};

/** Takes the oldest planned end that fits a submission. */
export const takePlanned = <What>(
  plans: Plans<What>,
  key: string,
  submitted: Action,
): What | undefined => {
  const plan = plans.planned.find(
    ({ options: { action = submitted, account = key } }) => action === submitted && account === key,
  );
  if (plan !== undefined) markDone(plans, plan);
  return plan?.what;
};
