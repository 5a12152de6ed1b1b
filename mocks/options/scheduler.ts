/** Schedules faults and outcomes: adds, lists, removes and asserts both alike. */
import * as z from "zod/mini";
import type { FaultOptions, Schedule, Scheduled } from "../domain/schedule.ts";
import {
  actionsField,
  apiKeyField,
  bodyField,
  textField,
  timesField,
  wholeNumber,
} from "./fields.ts";
import { listSome, optionError, requireFit, showValue } from "./require.ts";

/** Checked options. */
type Choice = { readonly [Name in keyof FaultOptions]: FaultOptions[Name] | undefined };

/** How faults differ from outcomes. */
interface ScheduleKind<Given, What> {
  readonly one: "fault" | "outcome";
  /** The verb for a fault or outcome that was met, in messages and as the name of its count in lists. */
  readonly done: "played" | "taken";
  /** Name of the method that removes a fault or outcome by its id. */
  readonly remove: string;
  readonly options: z.ZodMiniType<Choice>;
  /** Checks and copies what a test has given. */
  readonly read: (given: Given) => What;
  /** Returns the fields that lists show of a fault or outcome. */
  readonly show: (what: What) => object;
}

/** Schemas of the options that faults and outcomes share. */
export const scheduleFields = {
  times: z.optional(timesField),
  after: z.optional(wholeNumber(0, 1_000_000_000)),
  action: z.optional(actionsField),
  account: z.optional(apiKeyField),
  body: z.optional(bodyField),
};

/** Copies checked options, without the fields that are `undefined`. */
const copyOptions = ({ times = 1, ...options }: Choice): Scheduled<unknown>["options"] => ({
  ...JSON.parse(JSON.stringify(options)),
  times,
});

/** Returns whether a fault or outcome waits for more requests. With `times: Infinity`, it needs one. */
const isUndone = ({ options: { times }, done }: Scheduled<unknown>): boolean =>
  times === Number.POSITIVE_INFINITY ? done === 0 : done < times;

/** Describes a fault or outcome, the requests that it is for, and how many of them have come. */
const describeScheduled = (
  id: string,
  { what, options, seen, done }: Scheduled<unknown>,
): string => {
  const { times, ...choice } = options;
  const requests = Object.keys(choice).length > 0 ? ` for ${showValue(choice)}` : "";
  const wanted = times === Number.POSITIVE_INFINITY ? "at least 1" : times;
  return `${id} ${showValue(what)}${requests} (${done} of ${wanted}; requests seen: ${seen})`;
};

/**
 * Creates the methods that schedule faults or outcomes, for a whole service or for one account.
 *
 * @param account - API key of the only account that these methods are for. @default all accounts
 */
export const createScheduler = <Given, What, Shown>(
  kind: ScheduleKind<Given, What>,
  schedule: Schedule<What>,
  requireAccount: (key: string) => void,
  account?: string,
) => {
  const { one, done, options: schema } = kind;
  const idOf = ({ number }: Scheduled<What>): string => `${one}_${number}`;
  const isOurs = ({ options }: Scheduled<What>): boolean =>
    account === undefined || options.account === account;
  const show = (scheduled: Scheduled<What>): Shown =>
    ({
      id: idOf(scheduled),
      ...kind.show(scheduled.what),
      ...copyOptions(scheduled.options),
      [done]: scheduled.done,
      remaining: scheduled.options.times - scheduled.done,
    }) as Shown;

  const removeAll = (fits: (scheduled: Scheduled<What>) => boolean): boolean => {
    const { waiting } = schedule;
    schedule.waiting = waiting.filter((scheduled) => !isOurs(scheduled) || !fits(scheduled));
    return schedule.waiting.length < waiting.length;
  };

  const readOptions = (options: FaultOptions): Scheduled<What>["options"] => {
    const { account: only = account, ...choice } = requireFit(`${one} options`, schema, options);
    if (account !== undefined && only !== account) {
      throw optionError(
        `${one} options.account`,
        `left out or "${account}", because these are the ${one}s of that account`,
      );
    }
    if (only !== undefined) requireAccount(only);
    const { action, operation = "jobs.submit" } = choice;
    if (action !== undefined && ![operation].flat().includes("jobs.submit")) {
      throw optionError(
        `${one} options.operation`,
        "jobs.submit, because only a submission has an action",
      );
    }
    return copyOptions({ ...choice, account: only });
  };

  return {
    list: (): readonly Shown[] => schedule.waiting.filter(isOurs).map(show),
    /** Schedules a fault or an outcome. @throws TypeError that names an invalid field */
    add: (given: Given, options: FaultOptions = {}): Shown => {
      const what = kind.read(given);
      const own = readOptions(options);
      schedule.issued += 1;
      const scheduled = { what, options: own, number: schedule.issued, seen: 0, done: 0 };
      schedule.waiting = [...schedule.waiting, scheduled];
      return show(scheduled);
    },
    remove: (id: string): boolean => {
      requireFit(`${one} id`, textField, id);
      return removeAll((scheduled) => idOf(scheduled) === id);
    },
    clear: (): void => void removeAll(() => true),
    /** @throws Error that lists the faults or outcomes that too few requests have met */
    assertDone: (): void => {
      const undone = schedule.waiting.filter((each) => isOurs(each) && isUndone(each));
      if (undone.length === 0) return;
      const lines = undone.map((each) => describeScheduled(idOf(each), each));
      const subject =
        undone.length === 1 ? `A scheduled ${one} was` : `${undone.length} scheduled ${one}s were`;
      throw new Error(
        `${subject} not ${done} as often as scheduled: ${listSome(lines, 8, "; ")}. ` +
          `Send the missing requests, or call ${kind.remove}(id)`,
      );
    },
  };
};
