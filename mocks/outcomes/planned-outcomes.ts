import type { PlannedEnd, PlannedEnds } from "../domain/planned-ends.ts";
import { assertDone, requireRoom } from "../options/plan.ts";
import { requireFit } from "../options/require.ts";
import {
  accountOutcomeOptionsSchema,
  idOfOutcome,
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

/** Checks that outcomes that wait were taken as often as planned. */
export const assertTaken = (planned: readonly PlannedOutcome[]): void =>
  assertDone(
    planned.map((plan) => {
      const { fail, result, takesMs } = plan;
      return { what: { fail, result, takesMs }, plan: { ...plan, done: plan.taken } };
    }),
    { one: "outcome", done: "taken", remove: "jobs.removePlanned" },
  );

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
  const isOurs = (planned: PlannedEnd): boolean =>
    account === undefined || planned.account === account;

  /** Takes back what fits, and tells whether there was any. */
  const remove = (fits: (planned: PlannedEnd) => boolean): boolean => {
    const { plannedEnds } = current.world;
    const kept = plannedEnds.planned.filter((planned) => !isOurs(planned) || !fits(planned));
    const isShorter = kept.length < plannedEnds.planned.length;
    plannedEnds.planned = kept;
    return isShorter;
  };

  const list = (): readonly PlannedOutcome[] =>
    current.world.plannedEnds.planned.filter(isOurs).map(showOutcome);

  return {
    next: (outcome, options = {}) => {
      const checked = requireFit("outcome", outcomeSchema, outcome);
      const schema = account === undefined ? outcomeOptionsSchema : accountOutcomeOptionsSchema;
      const which = { account, ...requireFit("outcome options", schema, options) };
      if (which.account !== undefined) requireAccount(which.account);
      const { plannedEnds } = current.world;
      requireRoom(plannedEnds.planned.length, ["outcomes", "jobs.clearPlanned"]);
      plannedEnds.issued += 1;
      const planned = planOutcome(checked, which, plannedEnds.issued);
      plannedEnds.planned = [...plannedEnds.planned, planned];
      return showOutcome(planned);
    },
    get planned() {
      return list();
    },
    removePlanned: (id) => remove((planned) => idOfOutcome(planned) === id),
    clearPlanned: () => void remove(() => true),
    assertTaken: () => assertTaken(list()),
  };
};
