/** Faults and outcomes that are scheduled: each waits for the requests that it is for. */
import type { Action } from "../../src/contract/actions.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import { hasFields } from "./json-values.ts";

/** Selects the submissions that an outcome is for. */
export interface OutcomeOptions {
  /** Number of submissions (of a fault: requests) that take it; `Infinity` for all. @default 1 */
  readonly times?: number;
  /** Number of submissions that pass before the first one takes it. @default 0 */
  readonly after?: number;
  /** Only submissions of these actions. @default all */
  readonly action?: Action | readonly Action[];
  /** Only submissions with this API key. @default all */
  readonly account?: string;
  /** Only submissions whose body has these fields, at any depth. @default all */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Selects the requests that meet a fault. */
export interface FaultOptions extends OutcomeOptions {
  /** Only requests of these operations. @default all operations of the API */
  readonly operation?: EndpointName | readonly EndpointName[];
}

/** A fault, or the end of a job, that waits for its requests. */
export interface Scheduled<What> {
  /** Number from which its id is made. */
  readonly number: number;
  readonly what: What;
  readonly options: FaultOptions & { readonly times: number };
  /** Number of requests that the options select, including those that passed before `after`. */
  seen: number;
  /** Number of requests that have met it. */
  done: number;
}

/** All faults, or all ends of jobs, that wait. */
export interface Schedule<What> {
  /** Number of faults or ends that were ever scheduled; the next id is made from it. */
  issued: number;
  /** Oldest first. */
  waiting: readonly Scheduled<What>[];
}

/** The facts of a request that options can select it by. */
export interface ScheduleRequest {
  readonly operation: EndpointName;
  readonly account: string | undefined;
  /** Reads the body. */
  readonly body: () => unknown;
}

/** Returns whether a request meets the fault or end. Counts the request if the options select it. */
export const isNext = <What>(one: Scheduled<What>, request: ScheduleRequest): boolean => {
  const { operation, action, account, body, after = 0 } = one.options;
  const isFor =
    (operation === undefined || [operation].flat().includes(request.operation)) &&
    (action === undefined ||
      [action].flat().some((name) => hasFields(request.body(), { action: name }))) &&
    (account === undefined || account === request.account) &&
    (body === undefined || hasFields(request.body(), body));
  if (!isFor) return false;
  one.seen += 1;
  return one.seen > after;
};

/** Counts a request that has met a fault or end. After the last request, the fault or end is removed. */
export const markDone = <What>(schedule: Schedule<What>, one: Scheduled<What>): void => {
  one.done += 1;
  if (one.done >= one.options.times)
    schedule.waiting = schedule.waiting.filter((other) => other !== one);
};

/** Takes the oldest scheduled end that is for a submission. */
export const takeScheduled = <What>(
  schedule: Schedule<What>,
  request: ScheduleRequest,
): What | undefined => {
  const one = schedule.waiting.find((each) => isNext(each, request));
  if (one !== undefined) markDone(schedule, one);
  return one?.what;
};
