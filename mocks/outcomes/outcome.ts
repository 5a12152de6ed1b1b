/**
 * Outcomes: how a test decides the end of the next jobs. This folder imports the domain and the options.
 */
import * as z from "zod/mini";
import type { JobOutcome } from "../domain/job-timeline.ts";
import type { OutcomeOptions, Schedule } from "../domain/schedule.ts";
import {
  copyJson,
  endlessField,
  type FieldsOf,
  fieldsOnly,
  jsonField,
  textField,
} from "../options/fields.ts";
import { requireFit } from "../options/require.ts";
import { createScheduler, scheduleFields } from "../options/scheduler.ts";

/** An outcome that waits for its submissions. */
export interface ScheduledOutcome extends JobOutcome, OutcomeOptions {
  /** Its id, for `removeScheduled`. */
  readonly id: string;
  /** Number of submissions that have taken it. */
  readonly taken: number;
  /** Number of submissions that will still take it. At zero, it is removed. */
  readonly remaining: number;
}

const outcomeFields = {
  fail: z.optional(textField),
  // `result: undefined` is a mistake, because it reads as if there were a result.
  result: z.exactOptional(jsonField),
  takesMs: z.optional(endlessField),
} satisfies FieldsOf<JobOutcome>;

type OutcomeFields = z.output<z.ZodMiniObject<typeof outcomeFields>>;

/** Schema of an outcome. */
export const outcomeSchema = fieldsOnly(outcomeFields).check(
  z.refine<OutcomeFields>((outcome) => outcome.fail === undefined || !("result" in outcome), {
    error: "a failure or a result, not both",
  }),
);

export const outcomeOptionsSchema = fieldsOnly(scheduleFields satisfies FieldsOf<OutcomeOptions>);

/** Turns a checked outcome into the end that a job keeps. */
const endOf = ({ fail, takesMs, ...rest }: z.output<typeof outcomeSchema>): JobOutcome => ({
  ...(fail !== undefined && { fail }),
  ...("result" in rest && { result: copyJson(rest.result) }),
  ...(takesMs !== undefined && { takesMs }),
});

/** Outcomes that wait for jobs. The `Options` of an account have no field `account`. */
export interface ScheduledOutcomes<Options = OutcomeOptions> {
  /**
   * Decides how the next submitted job ends. Each submission takes the oldest outcome that is for it.
   *
   * @returns the scheduled outcome; its `id` removes it
   * @throws TypeError when the outcome is invalid; the message names the field
   */
  next(outcome: JobOutcome, options?: Options): ScheduledOutcome;
  /** The outcomes that wait, oldest first. An account lists only those that are just for it. */
  readonly scheduled: readonly ScheduledOutcome[];
  /** Removes an outcome. Returns `false` if no outcome with this id is waiting. */
  removeScheduled(id: string): boolean;
  /** Removes all outcomes. Jobs that were already submitted keep theirs. */
  clearScheduled(): void;
  /**
   * Checks that no outcome is still waiting for submissions. An outcome for all submissions must have
   * been taken at least once. Outcomes that were removed don't count.
   *
   * @throws Error when an outcome was not taken as often as scheduled; it lists these outcomes
   */
  assertTaken(): void;
}

/**
 * Creates the methods that schedule outcomes, for a service or for one account.
 *
 * @param account - API key of the only account that these outcomes are for. @default all accounts
 */
export const createScheduledOutcomes = (
  state: { readonly scheduledEnds: Schedule<JobOutcome> },
  requireAccount: (key: string) => void,
  account?: string,
): ScheduledOutcomes => {
  const scheduler = createScheduler<JobOutcome, JobOutcome, ScheduledOutcome>(
    {
      one: "outcome",
      done: "taken",
      remove: "jobs.removeScheduled",
      options: outcomeOptionsSchema,
      read: (outcome) => endOf(requireFit("outcome", outcomeSchema, outcome)),
      show: structuredClone<JobOutcome>,
    },
    state.scheduledEnds,
    requireAccount,
    account,
  );
  return {
    next: scheduler.add,
    get scheduled() {
      return scheduler.list();
    },
    removeScheduled: scheduler.remove,
    clearScheduled: scheduler.clear,
    assertTaken: scheduler.assertDone,
  };
};
