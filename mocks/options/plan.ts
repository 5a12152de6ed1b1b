/** Rules of faults and outcomes that wait: how many there may be, and which are still to be met. */
import type { Action } from "../../src/contract/actions.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";

/** Largest number of faults, or of outcomes, that may wait: each request looks at all of them. */
export const maxPlans = 1_000;

/**
 * Refuses one plan more than may wait.
 *
 * @param plans - Name of the plans, and of the method that takes all of them back
 * @throws RangeError when too many wait
 */
export const requireRoom = (waiting: number, [plans, clear]: readonly [string, string]): void => {
  if (waiting < maxPlans) return;
  throw new RangeError(
    `The mock plans at most ${maxPlans.toLocaleString("en")} ${plans}, and so many wait. ` +
      `Take them back with ${clear}(), or plan one for several requests with times`,
  );
};

/** A fault or an outcome that waits. */
export interface Plan {
  readonly id: string;
  readonly times?: number;
  readonly action?: Action;
  readonly operation?: EndpointName | readonly EndpointName[];
  readonly account?: string;
  /** Count of the requests that have had it. */
  readonly done: number;
}

const longestDescription = 120;

/** Tells whether requests that a plan is for are still to come: one at least, when it is for all. */
const isUndone = ({ times = 1, done }: Plan): boolean =>
  times === Number.POSITIVE_INFINITY ? done === 0 : done < times;

const describePlan = (what: unknown, { id, times = 1, done, ...which }: Plan): string => {
  const { operation, action, account } = which;
  const written = JSON.stringify(what);
  const shown =
    written.length > longestDescription ? `${written.slice(0, longestDescription)}…` : written;
  const parts = [id, shown];
  if (operation !== undefined) parts.push(`for ${[operation].flat().join(" or ")}`);
  if (action !== undefined) parts.push(`for ${action}`);
  if (account !== undefined) parts.push(`of ${account}`);
  const wanted = times === Number.POSITIVE_INFINITY ? "" : ` of ${times}`;
  return `${parts.join(" ")} (${done}${wanted})`;
};

const maxDescriptions = 8;

/**
 * Checks that every plan that waits has had its requests.
 *
 * @param plans - Each with a description of what is planned
 * @param name - Name of one plan, the participle of its end, and the method that takes it back
 * @throws Error that lists the plans without enough requests
 */
export const assertDone = (
  plans: readonly { readonly what: unknown; readonly plan: Plan }[],
  name: { readonly one: string; readonly done: string; readonly remove: string },
): void => {
  const undone = plans.filter(({ plan }) => isUndone(plan));
  if (undone.length === 0) return;
  const lines = undone.slice(0, maxDescriptions).map(({ what, plan }) => describePlan(what, plan));
  if (undone.length > lines.length) lines.push(`and ${undone.length - lines.length} more`);
  const subject =
    undone.length === 1
      ? `A planned ${name.one} was`
      : `${undone.length} planned ${name.one}s were`;
  throw new Error(
    `${subject} not ${name.done} as often as planned: ${lines.join("; ")}. ` +
      `Send the requests that it is for, or take it back with ${name.remove}(id)`,
  );
};
