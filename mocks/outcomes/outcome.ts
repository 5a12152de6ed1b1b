import * as z from "zod/mini";
import type { Action } from "../../src/contract/actions.ts";
import { jobExpiryMs } from "../../src/contract/jobs.ts";
import type { JobEnd } from "../domain/job-timeline.ts";
import type { Schedule } from "../domain/schedule.ts";
import {
  copyJson,
  type FieldsOf,
  fieldsOnly,
  infinityField,
  millisecondsField,
  shallowJsonField,
  textField,
} from "../options/fields.ts";
import { requireFit } from "../options/require.ts";
import { createScheduler, scheduleFields } from "../options/scheduler.ts";

/** End of a job, as a test decides it. */
export interface JobOutcome {
  /** Text of the job's `error`: the job fails when its time is over. Not with a `result`. */
  readonly fail?: string;
  /** Result of the job, any JSON: the job completes. Not with `fail`. */
  readonly result?: unknown;
  /**
   * Milliseconds that the job takes, zero or more, whatever the timeline says. A job that takes
   * more than 30 minutes, or `Infinity`, expires.
   */
  readonly takesMs?: number;
}

/** Choice of the submissions that an outcome is for. */
export interface OutcomeOptions {
  /** Count of the submissions; `Infinity` for all. @default 1 */
  readonly times?: number;
  /** Count of the submissions that pass before the first of them. @default 0 */
  readonly after?: number;
  /** Only jobs of this action, or of one of several. @default any */
  readonly action?: Action | readonly Action[];
  /** Only jobs of this API key. @default any */
  readonly account?: string;
  /** Only submissions whose body has these fields, at any depth. @default any */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** An outcome that waits for its submissions. */
export interface ScheduledOutcome extends JobOutcome, OutcomeOptions {
  /** Id for `removeScheduled`. */
  readonly id: string;
  /** Count of the submissions that have taken it. */
  readonly taken: number;
  /** Count of the submissions that will still take it; it is gone at zero. */
  readonly remaining: number;
}

const outcomeFields = {
  fail: z.optional(textField),
  // A result that is `undefined` is a mistake, and no result that was left out.
  result: z.exactOptional(shallowJsonField),
  takesMs: z.optional(
    z.union([millisecondsField, infinityField], { error: "milliseconds, zero or more" }),
  ),
} satisfies FieldsOf<JobOutcome>;

type OutcomeFields = z.output<z.ZodMiniObject<typeof outcomeFields>>;

/** Schema of the end of a job. */
export const outcomeSchema = fieldsOnly(outcomeFields).check(
  z.refine<OutcomeFields>((outcome) => outcome.fail === undefined || !("result" in outcome), {
    error: "a failure or a result, not both",
  }),
  z.refine<OutcomeFields>(
    (outcome) => outcome.fail !== undefined || outcome.takesMs !== undefined || "result" in outcome,
    { error: "an object of fail, result or takesMs" },
  ),
);

export const outcomeOptionsSchema = fieldsOnly(scheduleFields satisfies FieldsOf<OutcomeOptions>);

/** Longest time of a job in a record. Such a job expires, and JSON cannot say `Infinity`. */
const beyondExpiryMs = 2 * jobExpiryMs;

/** Copies an outcome that fits its schema, as a job keeps it. */
export const endOf = ({ fail, takesMs, ...rest }: z.output<typeof outcomeSchema>): JobEnd => ({
  ...(fail !== undefined && { fail }),
  ...("result" in rest && { result: copyJson(rest.result) }),
  ...(takesMs !== undefined && { takesMs: Math.min(takesMs, beyondExpiryMs) }),
});

/** Copies the end of a job, as a test has planned it. */
const outcomeOf = (end: JobEnd): JobOutcome => ({
  ...structuredClone(end),
  ...(end.takesMs === beyondExpiryMs && { takesMs: Number.POSITIVE_INFINITY }),
});

/** Outcomes that wait for jobs. `Options` are those of `next`: an account's have no `account`. */
export interface ScheduledOutcomes<Options = OutcomeOptions> {
  /**
   * Decides how the next submitted job ends. Outcomes wait in the order they were given, and each
   * submission takes the first that fits it.
   *
   * @returns the planned outcome; its `id` takes it back
   * @throws TypeError when the outcome makes no sense; the message names the field
   * @throws RangeError when 1,000 outcomes wait already
   */
  next(outcome: JobOutcome, options?: Options): ScheduledOutcome;
  /** Outcomes that wait, oldest first. Those of an account are the ones for it alone. */
  readonly scheduled: readonly ScheduledOutcome[];
  /** Takes an outcome back; gives `false` when no outcome of that id waits. */
  removeScheduled(id: string): boolean;
  /** Takes them all back. Jobs that were submitted keep theirs. */
  clearScheduled(): void;
  /**
   * Checks that no outcome waits for submissions that did not come. An outcome for all submissions
   * must have met one. Outcomes that were taken back do not count.
   *
   * @throws Error when an outcome was not taken as often as planned; it lists those outcomes, and says how
   *   the nearest submissions differ
   */
  assertTaken(): void;
}

/**
 * Creates the planned outcomes of a service, or of one account.
 *
 * @param account - Key of the account whose outcomes these are. @default all accounts
 */
export const createScheduledOutcomes = (
  state: { readonly scheduledEnds: Schedule<JobEnd> },
  requireAccount: (key: string) => void,
  account?: string,
): ScheduledOutcomes => {
  const scheduler = createScheduler<JobOutcome, JobEnd, ScheduledOutcome>(
    {
      one: "outcome",
      done: "taken",
      remove: "jobs.removeScheduled",
      clear: "jobs.clearScheduled",
      options: outcomeOptionsSchema,
      read: (outcome) => endOf(requireFit("outcome", outcomeSchema, outcome)),
      show: outcomeOf,
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
