import { addFields } from "../client/errors/adgen-error.ts";
import { isAdGenError } from "../client/errors/errors.ts";
import { methodsRule, refuseOption } from "../client/options/rules.ts";
import type { Submissions } from "../client/options/submissions.ts";
import { createBudget } from "./budget.ts";
import { createDecide } from "./decide.ts";
import { prepareCall } from "./prepare-call.ts";
import { createFind, createListOpen } from "./reads.ts";
import { createRunOnce } from "./run-once.ts";
import { ownClock, type StoreClock, startCountdown } from "./store/clock.ts";
import type { RecordStore } from "./store/record-store.ts";
import { boundStore, createRecords } from "./store/records.ts";
import type { SubmissionsOptions } from "./submissions-options.ts";
import { resolveSubmissionsOptions } from "./submissions-options.ts";

/** Does what {@link createSubmissions} does, with clocks that a test can control. */
export const createSubmissionsWith = (
  clock: StoreClock,
  store: RecordStore,
  options: SubmissionsOptions = {},
): Submissions => {
  methodsRule("a store, with get, swap, list", "get", "swap", "list")(store, "store", refuseOption);
  const config = resolveSubmissionsOptions(options);
  const bound = boundStore(store, clock, config.storeTimeoutMs);
  const records = createRecords(bound, clock);
  const withinBudget = createBudget(bound, clock, config.budget);
  const runOnce = createRunOnce(records, clock, config.onLateJob, config.onLateWrite);
  return {
    async runOnce(paid, send) {
      const sendWithin = withinBudget(paid, send);
      if (paid.once === undefined) {
        const leftMs = startCountdown(clock, paid.timeoutMs);
        const answer = await sendWithin({ leftMs, canSend: () => true });
        return { ...answer, isRepeated: false };
      }
      try {
        return await runOnce(prepareCall(paid, config, clock), sendWithin);
      } catch (error) {
        // An earlier call with the id may have been sent, so the outcome is not "not-sent".
        const isUntold = isAdGenError(error) && error.code === "store" && !error.outcome;
        throw isUntold ? addFields(error, { outcome: "unknown" }) : error;
      }
    },
    decide: createDecide(records, clock),
    listOpen: createListOpen(records, clock),
    find: createFind(records, clock),
  };
};

/**
 * Creates submissions, which keep a record of each paid call with an id, so that the call is made
 * once. They need neither a client nor a key, so a script or a web server can make decisions too.
 *
 * @throws `AdGenError`
 * - `config`: the store has no `get`, `swap` or `list`, or an option makes no sense.
 * @example
 * const submissions = createSubmissions(createMemoryStore());
 * const { unknown } = await submissions.listOpen();
 * for (const doubt of unknown) await submissions.decide(doubt, "drop");
 */
export const createSubmissions = (store: RecordStore, options?: SubmissionsOptions): Submissions =>
  createSubmissionsWith(ownClock, store, options);
