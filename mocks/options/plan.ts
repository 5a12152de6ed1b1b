/** Faults and outcomes that wait for their requests: planned, listed, taken back and asserted alike. */
import type { Action } from "../../src/contract/actions.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";

/** Largest number of faults, or of outcomes, that may wait: each request looks at all of them. */
export const maxPlans = 1_000;

/** Plans of one kind that wait, as the world keeps them. */
interface Waiting<Kept> {
  /** Count of all plans so far, from which the next id is made. */
  issued: number;
  /** Oldest first. */
  planned: readonly Kept[];
}

/** A plan, as it is shown to users. */
interface ShownPlan {
  readonly id: string;
  readonly times?: number;
  readonly action?: Action;
  readonly operation?: EndpointName | readonly EndpointName[];
  readonly account?: string;
}

/** Words and forms of one kind of plan. */
interface KindOfPlan<Kept, Shown extends ShownPlan> {
  /** Name of one plan. */
  readonly one: "fault" | "outcome";
  /** Participle of its end. */
  readonly done: "played" | "taken";
  /** Method that takes one back. */
  readonly remove: string;
  /** Method that takes all back. */
  readonly clear: string;
  readonly show: (kept: Kept) => Shown;
  /** Tells what happens in the plan, for messages. */
  readonly whatOf: (shown: Shown) => unknown;
  /** Counts the requests that have had it. */
  readonly countDone: (shown: Shown) => number;
}

const longestDescription = 120;

/** Tells whether requests that a plan is for are still to come: one at least, when it is for all. */
const isUndone = (times: number, done: number): boolean =>
  times === Number.POSITIVE_INFINITY ? done === 0 : done < times;

const describePlan = (what: unknown, done: number, plan: ShownPlan): string => {
  const { id, times = 1, operation, action, account } = plan;
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
 * Makes the plans of one kind, of a whole service or of one account.
 *
 * @param account - Key of the account whose plans these are. @default all accounts
 */
export const createPlans = <Kept, Shown extends ShownPlan>(
  kind: KindOfPlan<Kept, Shown>,
  waiting: () => Waiting<Kept>,
  requireAccount: (key: string) => void,
  account?: string,
) => {
  const { one, done, show } = kind;
  const isOurs = (shown: Shown): boolean => account === undefined || shown.account === account;
  const list = (): readonly Shown[] => waiting().planned.map(show).filter(isOurs);

  /** Takes back what fits, and tells whether there was any. */
  const removeAll = (fits: (shown: Shown) => boolean): boolean => {
    const { planned } = waiting();
    const kept = planned.filter((plan) => {
      const shown = show(plan);
      return !isOurs(shown) || !fits(shown);
    });
    waiting().planned = kept;
    return kept.length < planned.length;
  };

  return {
    list,
    /**
     * Adds a plan.
     *
     * @param owner - Key of the account that it is for. @default any
     * @param make - Makes it, with its number
     * @throws RangeError when too many wait
     */
    add: (owner: string | undefined, make: (number: number) => Kept): Shown => {
      if (owner !== undefined) requireAccount(owner);
      const present = waiting();
      if (present.planned.length >= maxPlans) {
        throw new RangeError(
          `The mock plans at most ${maxPlans.toLocaleString("en")} ${one}s, and so many wait. ` +
            `Take them back with ${kind.clear}(), or plan one for several requests with times`,
        );
      }
      present.issued += 1;
      const plan = make(present.issued);
      present.planned = [...present.planned, plan];
      return show(plan);
    },
    remove: (id: string): boolean => removeAll((shown) => shown.id === id),
    clear: (): void => void removeAll(() => true),
    /** @throws Error that lists the plans without enough requests */
    assertDone: (): void => {
      const undone = list().filter((plan) => isUndone(plan.times ?? 1, kind.countDone(plan)));
      if (undone.length === 0) return;
      const lines = undone
        .slice(0, maxDescriptions)
        .map((plan) => describePlan(kind.whatOf(plan), kind.countDone(plan), plan));
      if (undone.length > lines.length) lines.push(`and ${undone.length - lines.length} more`);
      const subject =
        undone.length === 1 ? `A planned ${one} was` : `${undone.length} planned ${one}s were`;
      throw new Error(
        `${subject} not ${done} as often as planned: ${lines.join("; ")}. ` +
          `Send the requests that it is for, or take it back with ${kind.remove}(id)`,
      );
    },
  };
};
