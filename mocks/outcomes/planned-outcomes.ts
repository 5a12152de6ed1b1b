import type { PlannedEnds } from "../domain/planned-ends.ts";
import { createPlans } from "../options/plan.ts";
import { requireFit } from "../options/require.ts";
import {
  accountOutcomeOptionsSchema,
  type JobOutcome,
  type OutcomeOptions,
  outcomeOptionsSchema,
  outcomeSchema,
  type PlannedOutcome,
  planOutcome,
  showOutcome,
} from "./outcome.ts";

/** Outcomes that wait for jobs. `Options` are those of `next`: an account's have no `account`. */
export interface PlannedOutcomes<Options = OutcomeOptions> {
  /**
   * Decides how the next submitted job ends. Outcomes wait in the order they were given, and each
   * submission takes the first that fits it.
   *
   * @returns the planned outcome; its `id` takes it back
   * @throws TypeError when the outcome makes no sense; the message names the field
   * @throws RangeError when 1,000 outcomes wait already
   */
  next(outcome: JobOutcome, options?: Options): PlannedOutcome;
  /** Outcomes that wait, oldest first. Those of an account are the ones for it alone. */
  readonly planned: readonly PlannedOutcome[];
  /** Takes an outcome back; gives `false` when no outcome of that id waits. */
  removePlanned(id: string): boolean;
  /** Takes them all back. Jobs that were submitted keep theirs. */
  clearPlanned(): void;
  /**
   * Checks that no outcome waits for submissions that did not come. An outcome for all submissions
   * must have met one. Outcomes that were taken back do not count.
   *
   * @throws Error when an outcome was not taken as often as planned; it lists those outcomes
   */
  assertTaken(): void;
}

const kind = {
  one: "outcome",
  done: "taken",
  remove: "jobs.removePlanned",
  clear: "jobs.clearPlanned",
  show: showOutcome,
  whatOf: ({ fail, result, takesMs }: PlannedOutcome) => ({ fail, result, takesMs }),
  countDone: ({ taken }: PlannedOutcome) => taken,
} as const;

/**
 * Makes the planned outcomes of a service, or of one account.
 *
 * @param requireAccount - Throws when there is no account of that key
 * @param account - Key of the account whose outcomes these are. @default all accounts
 */
export const createPlannedOutcomes = (
  current: { readonly world: { readonly plannedEnds: PlannedEnds } },
  requireAccount: (key: string) => void,
  account?: string,
): PlannedOutcomes => {
  const plans = createPlans(kind, () => current.world.plannedEnds, requireAccount, account);
  const schema = account === undefined ? outcomeOptionsSchema : accountOutcomeOptionsSchema;
  return {
    next: (outcome, options = {}) => {
      const checked = requireFit("outcome", outcomeSchema, outcome);
      const which = { account, ...requireFit("outcome options", schema, options) };
      return plans.add(which.account, (number) => planOutcome(checked, which, number));
    },
    get planned() {
      return plans.list();
    },
    removePlanned: plans.remove,
    clearPlanned: plans.clear,
    assertTaken: plans.assertDone,
  };
};
