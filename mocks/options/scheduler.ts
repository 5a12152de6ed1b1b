/** Faults and outcomes that wait for their requests: planned, listed, taken back and asserted alike. */
import * as z from "zod/mini";
import type { Schedule, Scheduled, ScheduleOptions } from "../domain/schedule.ts";
import {
  actionsField,
  apiKeyField,
  bodyField,
  textField,
  timesField,
  wholeNumber,
} from "./fields.ts";
import { describeChoice, listSome, optionError, requireFit, showValue } from "./require.ts";

/** Largest number of faults, or of outcomes, that may wait: each request looks at all of them. */
const maxScheduled = 1_000;

/** Words and forms of one kind of plan. */
interface ScheduleKind<Given, What> {
  /** Name of one plan. */
  readonly one: "fault" | "outcome";
  /** Participle of its end. */
  readonly done: "played" | "taken";
  /** Method that takes one back. */
  readonly remove: string;
  /** Method that takes all back. */
  readonly clear: string;
  readonly options: z.ZodMiniType<ScheduleOptions>;
  /** Checks the plan that a test gives. */
  readonly read: (given: Given) => What;
  /** Fields by which a plan is shown. */
  readonly show: (what: What) => object;
}

/** What plans need of the service that they are for. */
export interface PlanHost {
  /** Throws when there is no account of that key. */
  readonly requireAccount: (key: string) => void;
}

/** Fields of the options that faults and outcomes share. */
export const scheduleFields = {
  times: z.optional(timesField),
  after: z.optional(wholeNumber(0, 1_000_000_000)),
  action: z.optional(actionsField),
  account: z.optional(apiKeyField),
  body: z.optional(bodyField),
};

/** Makes a copy of options that fit their schema, without fields that are `undefined`. */
const copyOptions = ({
  times = 1,
  ...options
}: ScheduleOptions): Scheduled<unknown>["options"] => ({
  ...JSON.parse(JSON.stringify(options)),
  times,
});

/** Tells whether the plan is still waiting for requests. A plan for all requests needs at least one. */
const isUndone = ({ options: { times }, done }: Scheduled<unknown>): boolean =>
  times === Number.POSITIVE_INFINITY ? done === 0 : done < times;

const describeScheduled = (
  id: string,
  { what, options, seen, done }: Scheduled<unknown>,
): string => {
  const { times, ...choice } = options;
  const { after = 0 } = choice;
  const isChosen = Object.keys(choice).length > 0;
  const requests = isChosen ? ` for ${describeChoice(choice, "requests")}` : "";
  const wanted = ` of ${times === Number.POSITIVE_INFINITY ? "at least 1" : times}`;
  const passed =
    after === 1
      ? `; the request that it lets pass ${seen > 0 ? "came" : "did not come"}`
      : `; ${Math.min(seen, after)} of the ${after} requests that it lets pass came`;
  return `${id} ${showValue(what)}${requests} (${done}${wanted}${after > 0 && done === 0 ? passed : ""})`;
};

/**
 * Makes the plans of one kind, of a whole service or of one account.
 *
 * @param account - Key of the account whose plans these are. @default all accounts
 */
export const createScheduler = <Given, What, Shown>(
  kind: ScheduleKind<Given, What>,
  findSchedule: () => Schedule<What>,
  { requireAccount }: PlanHost,
  account?: string,
) => {
  const { one, done, options: schema } = kind;
  const idOf = ({ number }: Scheduled<What>): string => `${one}_${number}`;
  const isOurs = ({ options }: Scheduled<What>): boolean =>
    account === undefined || options.account === account;
  const show = (plan: Scheduled<What>): Shown =>
    ({
      id: idOf(plan),
      ...kind.show(plan.what),
      ...copyOptions(plan.options),
      [done]: plan.done,
      remaining: plan.options.times - plan.done,
    }) as Shown;

  /** Takes back what fits, and tells whether there was any. */
  const removeAll = (fits: (plan: Scheduled<What>) => boolean): boolean => {
    const { waiting } = findSchedule();
    const kept = waiting.filter((plan) => !isOurs(plan) || !fits(plan));
    findSchedule().waiting = kept;
    return kept.length < waiting.length;
  };

  const readOptions = (options: ScheduleOptions): Scheduled<What>["options"] => {
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
        "jobs.submit beside an action: no other call has one",
      );
    }
    return copyOptions({ ...choice, account: only });
  };

  return {
    list: (): readonly Shown[] => findSchedule().waiting.filter(isOurs).map(show),
    /**
     * Adds a plan.
     *
     * @throws TypeError when it makes no sense; the message names the field
     * @throws RangeError when too many wait
     */
    add: (given: Given, options: ScheduleOptions = {}): Shown => {
      const plans = findSchedule();
      if (plans.waiting.length >= maxScheduled) {
        throw new RangeError(
          `The mock plans at most ${maxScheduled} ${one}s, and so many wait: take them back with ${kind.clear}()`,
        );
      }
      const what = kind.read(given);
      const own = readOptions(options);
      const plan = { what, options: own, number: plans.issued + 1, seen: 0, done: 0 };
      plans.issued += 1;
      plans.waiting = [...plans.waiting, plan];
      return show(plan);
    },
    remove: (id: string): boolean => {
      requireFit(`${one} id`, textField, id);
      return removeAll((plan) => idOf(plan) === id);
    },
    clear: (): void => void removeAll(() => true),
    /** @throws Error that lists the plans without enough requests */
    assertDone: (): void => {
      const undone = findSchedule().waiting.filter((plan) => isOurs(plan) && isUndone(plan));
      if (undone.length === 0) return;
      const lines = undone.map((plan) => describeScheduled(idOf(plan), plan));
      const subject =
        undone.length === 1 ? `A planned ${one} was` : `${undone.length} planned ${one}s were`;
      throw new Error(
        `${subject} not ${done} as often as planned: ${listSome(lines, 8, "; ")}. ` +
          `Send the missing requests, or call ${kind.remove}(id)`,
      );
    },
  };
};
