import type { Action } from "../../src/contract/actions.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import { findDifferences } from "./difference.ts";

/** Choice of the requests that a plan is for. */
export interface ScheduleOptions {
  /** Count of the requests; `Infinity` for all. @default 1 */
  readonly times?: number | undefined;
  /** Count of the requests that pass before. */
  readonly after?: number | undefined;
  /** Only submissions of these actions. */
  readonly action?: Action | readonly Action[] | undefined;
  /** Only requests of these operations. */
  readonly operation?: EndpointName | readonly EndpointName[] | undefined;
  /** Only requests with this API key. */
  readonly account?: string | undefined;
  /** Only requests whose body has these fields, at any depth. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** A fault, or the end of a job, that waits for its requests. */
export interface Scheduled<What> {
  /** Number among all of its kind, from which its id is made. */
  readonly number: number;
  readonly what: What;
  readonly options: ScheduleOptions & { readonly times: number };
  /** Count of the requests that it was for. */
  seen: number;
  /** Count of the requests that have met it. */
  done: number;
}

/** Plans of one kind that wait. */
export interface Schedule<What> {
  /** Count of all plans so far, from which the next id is made. */
  issued: number;
  /** Oldest first. */
  waiting: readonly Scheduled<What>[];
}

/** A request, by the facts that a plan may choose it by. */
export interface ScheduleRequest {
  readonly operation: EndpointName;
  readonly account: string | undefined;
  /** Reads the body. */
  readonly body: () => unknown;
}

const hasAction = (body: unknown, action: Action): boolean =>
  findDifferences(body, { action }).length === 0;

/** Counts a request for a plan that may be for it, and tells whether it comes late enough. */
export const isNext = <What>(plan: Scheduled<What>, request: ScheduleRequest): boolean => {
  const { operation, action, account, body, after = 0 } = plan.options;
  const isFor =
    (operation === undefined || [operation].flat().includes(request.operation)) &&
    (action === undefined || [action].flat().some((name) => hasAction(request.body(), name))) &&
    (account === undefined || account === request.account) &&
    (body === undefined || findDifferences(request.body(), body).length === 0);
  if (!isFor) return false;
  plan.seen += 1;
  return plan.seen > after;
};

/** Counts a request that has met a plan, and removes the plan after its last request. */
export const markDone = <What>(plans: Schedule<What>, plan: Scheduled<What>): void => {
  plan.done += 1;
  if (plan.done >= plan.options.times)
    plans.waiting = plans.waiting.filter((other) => other !== plan);
};

/** Takes the oldest planned end that fits a submission. */
export const takeScheduled = <What>(
  plans: Schedule<What>,
  request: ScheduleRequest,
): What | undefined => {
  const plan = plans.waiting.find((each) => isNext(each, request));
  if (plan !== undefined) markDone(plans, plan);
  return plan?.what;
};
