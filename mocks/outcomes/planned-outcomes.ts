import type { JobEnd } from "../domain/job-timeline.ts";
import type { Plans } from "../domain/plans.ts";
import { createPlans } from "../options/plan.ts";
import { requireFit } from "../options/require.ts";
import {
  endOf,
  type JobOutcome,
  type OutcomeOptions,
  outcomeOf,
  outcomeOptionsSchema,
  outcomeSchema,
  type PlannedOutcome,
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
  options: outcomeOptionsSchema,
  read: (outcome: JobOutcome): JobEnd => endOf(requireFit("outcome", outcomeSchema, outcome)),
  show: outcomeOf,
} as const;

/**
 * Makes the planned outcomes of a service, or of one account.
 *
 * @param requireAccount - Throws when there is no account of that key
 * @param account - Key of the account whose outcomes these are. @default all accounts
 */
export const createPlannedOutcomes = (
  current: { readonly world: { readonly plannedEnds: Plans<JobEnd> } },
  requireAccount: (key: string) => void,
  account?: string,
): PlannedOutcomes => {
  const plans = createPlans<JobOutcome, JobEnd, PlannedOutcome>(
    kind,
    () => current.world.plannedEnds,
    requireAccount,
    account,
  );
  return {
    next: plans.add,
    get planned() {
      return plans.list();
    },
    removePlanned: plans.remove,
    clearPlanned: plans.clear,
    assertTaken: plans.assertDone,
  };
};
