import * as z from "zod/mini";
import { scheduleRefund } from "../domain/apply-what-is-due.ts";
import { endOfTimeMs } from "../domain/clock.ts";
import type { Plan, Plans } from "../domain/plans.ts";
import { type AccountState, addJob, createAccountState, type Rules } from "../domain/state.ts";
import { copyFault } from "../faults/planned-faults.ts";
import { maskKey } from "../journal/redact.ts";
import { createJournalStore } from "../journal/store.ts";
import {
  type FieldsOf,
  fieldsOnly,
  listOfObjects,
  numberFrom,
  optional,
  trueOrFalse,
} from "../options/fields.ts";
import { refusal, requireFit } from "../options/require.ts";
import type { MockServiceConfig } from "../options/resolve-options.ts";
import type { AccountSlot, World } from "./world.ts";

/** A mock service at one moment, as plain JSON: for `restore`, now or in another process. */
export interface MockSnapshot {
  /** Version of the format. */
  readonly version: 2;
  /** The service's time, in milliseconds since 1970. */
  readonly at: number;
  readonly [field: string]: unknown;
}

/** Parts of a snapshot. @inline */
export type SnapshotOptions = {
  /** Includes the journal. @default true */
  readonly journal?: boolean;
};

/** Schema of the parts that a snapshot is to have. */
export const snapshotOptionsSchema = fieldsOnly({
  journal: optional(trueOrFalse, "Includes the journal; true by default"),
} satisfies FieldsOf<SnapshotOptions>);

/** JSON has no `Infinity`, and says `null` for it. */
const writePlan = <What>(plan: Plan<What>) => {
  const { times } = plan.options;
  return { ...plan, options: { ...plan.options, times: Number.isFinite(times) ? times : null } };
};

const writePlans = <What>({ issued, planned }: Plans<What>) => ({
  issued,
  planned: planned.map(writePlan),
});

const readPlans = <What>(
  { issued, planned }: ReturnType<typeof writePlans<What>>,
  copy: (what: What) => What,
): Plans<What> => ({
  issued,
  planned: planned.map((plan) => {
    const times = plan.options.times ?? Number.POSITIVE_INFINITY;
    return { ...plan, what: copy(plan.what), options: { ...plan.options, times } };
  }),
});

const writeAccount = ({ state, offsetMs }: AccountSlot) => {
  const { jobs, jobsByAge: _, dueJobs: __, brands, ads, ...kept } = state;
  return {
    ...kept,
    offsetMs,
    jobs: Array.from(jobs.values(), ({ charge: _, ...job }) => job),
    brands: [...brands.values()],
    ads: [...ads.values()],
  };
};

const write = (world: World, at: number, withJournal: boolean) => {
  const { journal } = world;
  return {
    version: 2 as const,
    at,
    seed: world.seed,
    requests: world.requests,
    closed: Object.fromEntries(world.closed),
    accounts: Array.from(world.accounts.values(), writeAccount),
    outcomes: writePlans(world.plannedEnds),
    faults: writePlans(world.faults),
    journal: withJournal
      ? journal.records.map(({ tookMs: _, headers: __, ...record }) => record)
      : [],
    forgotten: withJournal ? journal.forgotten : [],
  };
};

type Plain = ReturnType<typeof write>;

/** Writes a world as the text of a snapshot. */
export const writeSnapshot = (world: World, at: number, withJournal: boolean): string =>
  JSON.stringify(write(world, at, withJournal));

const aTime = "milliseconds since 1970 of a time that a date can hold";

/** Tells a snapshot from other JSON. What `write` has put into its parts is not checked again. */
export const snapshotSchema = z.looseObject(
  {
    version: z.literal(2, { error: "2" }),
    at: numberFrom(0 - endOfTimeMs, endOfTimeMs, aTime),
    accounts: listOfObjects,
    journal: listOfObjects,
  },
  { error: "an object with the version 2" },
);

const byId = <Thing extends { readonly id: string }>(things: readonly Thing[]) =>
  new Map(things.map((thing) => [thing.id, thing]));

const readAccount = (
  { offsetMs, jobs, brands, ads, ledger, renewsAt, ...kept }: Plain["accounts"][number],
  rules: Rules,
): AccountSlot => {
  const { key, seed, starting, openedAt } = kept;
  const state: AccountState = {
    ...createAccountState(key, seed, starting, openedAt),
    ...kept,
    // `null` where the month after is beyond all dates.
    renewsAt: renewsAt ?? Number.NaN,
    ledger: ledger.map((entry) => Object.freeze(entry)),
    brands: byId(brands),
    ads: byId(ads),
  };
  const paid = state.ledger.filter(({ reason }) => reason === "charge");
  const charges = new Map(paid.map((entry) => [entry.jobId, entry]));
  for (const job of jobs) {
    const charge = charges.get(job.id);
    const record = { ...job, ...(charge && { charge }) };
    addJob(state, record);
    scheduleRefund({ account: state, rules }, record);
  }
  return { masked: maskKey(key), opening: { credits: starting }, state, offsetMs };
};

const readWorld = (
  plain: Plain,
  { rules, journalLimit }: MockServiceConfig,
  before: World["everClosed"],
): World => {
  const { seed, requests, outcomes, faults } = plain;
  const journal = createJournalStore(journalLimit, plain.forgotten);
  for (const record of plain.journal) {
    journal.add({ ...record, fault: record.fault && copyFault(record.fault) });
  }
  const closed = new Map(Object.entries(plain.closed));
  const everClosed = new Map(before);
  for (const [key, number] of closed) {
    everClosed.set(key, Math.max(number, everClosed.get(key) ?? 0));
  }
  return {
    seed,
    requests,
    closed,
    everClosed,
    accounts: new Map(plain.accounts.map((each) => [each.key, readAccount(each, rules)])),
    plannedEnds: readPlans(outcomes, (end) => end),
    faults: readPlans(faults, copyFault),
    journal,
  };
};

/** Copies a snapshot, which may come from a file. */
const copyOf = (snapshot: unknown): Plain => {
  try {
    return JSON.parse(JSON.stringify(snapshot));
  } catch {
    throw refusal("snapshot", "JSON");
  }
};

/**
 * Reads the world that a snapshot holds, and refuses foreign JSON. A snapshot that was edited is
 * taken as it is: its ledger may not add up to its balances.
 *
 * @param before - `everClosed` of the world before
 * @throws TypeError when it is not a snapshot
 */
export const readSnapshot = (
  snapshot: MockSnapshot,
  config: MockServiceConfig,
  before: World["everClosed"],
): { readonly world: World; readonly at: number } => {
  const plain = copyOf(snapshot);
  requireFit("snapshot", snapshotSchema, plain);
  try {
    return { world: readWorld(plain, config, before), at: plain.at };
  } catch {
    throw refusal("snapshot", "as `snapshot()` has written it");
  }
};
