import type * as z from "zod/mini";
import { scheduleRefund } from "../domain/apply-what-is-due.ts";
import type { JobEnd, JobRecord } from "../domain/job-timeline.ts";
import type { Plans } from "../domain/plans.ts";
import { type AccountState, addJob, createAccountState, type Rules } from "../domain/state.ts";
import type { MockFault } from "../faults/fault.ts";
import { copyFault } from "../faults/planned-faults.ts";
import { maskKey } from "../journal/redact.ts";
import { createJournalStore } from "../journal/store.ts";
import { type FieldsOf, fieldsOnly, trueOrFalse, withDefault } from "../options/fields.ts";
import { copyOptions } from "../options/plan.ts";
import { refusal, requireFit } from "../options/require.ts";
import type { MockServiceConfig } from "../options/resolve-options.ts";
import { endOf } from "../outcomes/outcome.ts";
import { snapshotSchema } from "./snapshot-schema.ts";
import type { AccountSlot, World } from "./world.ts";

/** A mock service at one moment, as plain JSON: for `restore`, now or in another process. */
export interface MockSnapshot {
  /** Version of the format. */
  readonly version: 1;
  /** The service's time, in milliseconds since 1970. */
  readonly at: number;
  readonly [field: string]: unknown;
}

/** Parts of a snapshot. @inline */
export interface SnapshotOptions {
  /** Includes the journal. @default true */
  readonly journal?: boolean;
}

/** Schema of the parts that a snapshot is to have. */
export const snapshotOptionsSchema = fieldsOnly({
  journal: withDefault(trueOrFalse, true, "Includes the journal"),
} satisfies FieldsOf<SnapshotOptions>);

type Plain = z.output<typeof snapshotSchema>;

type PlainAccount = Plain["accounts"][number];

type ReadonlyDeep<Value> = Value extends object
  ? { readonly [Name in keyof Value]: ReadonlyDeep<Value[Name]> }
  : Value;

const writeAccount = ({ state, offsetMs }: AccountSlot): ReadonlyDeep<PlainAccount> => {
  const { jobs, jobsByAge: _, dueJobs: __, brands, ads, ...kept } = state;
  return {
    ...kept,
    offsetMs,
    jobs: Array.from(jobs.values(), ({ charge: _, ...job }) => job),
    brands: [...brands.values()],
    ads: [...ads.values()],
  };
};

/** Writes a world as the text of a snapshot. JSON has no `Infinity`, and says `null` for it. */
export const writeSnapshot = (world: World, at: number, withJournal: boolean): string => {
  const { seed, requests, closed, accounts, plannedEnds, faults, journal } = world;
  const plain: ReadonlyDeep<Plain> = {
    version: 1,
    at,
    seed,
    requests,
    closed: Object.fromEntries(closed),
    accounts: [...accounts.values()].map(writeAccount),
    outcomes: plannedEnds.planned.map(({ number, what: end, options, seen, done: taken }) => {
      const { times, action, account, after, body } = options;
      const choice = { action, account, after, body };
      return { number, end, ...choice, seen, taken, remaining: times - taken };
    }),
    outcomesIssued: plannedEnds.issued,
    faults: {
      issued: faults.issued,
      planned: faults.planned.map(({ number, what: fault, options, seen, done: played }) => {
        return { number, fault, options, seen, played };
      }),
    },
    journal: withJournal
      ? journal.records.map(({ tookMs: _, headers: __, ...record }) => record)
      : [],
    forgotten: withJournal ? journal.forgotten : [],
  };
  return JSON.stringify(plain);
};

const byId = <Thing extends { readonly id: string }>(things: readonly Thing[]) =>
  new Map(things.map((thing) => [thing.id, thing]));

const restoreAccount = (plain: PlainAccount, rules: Rules): AccountSlot => {
  const { key, seed, starting, openedAt, issued, balances, offsetMs } = plain;
  const state: AccountState = {
    ...createAccountState(key, seed, starting, openedAt),
    renewsAt: plain.renewsAt ?? Number.NaN,
    issued,
    balances,
    ledger: plain.ledger.map((entry) => Object.freeze(entry)),
    brands: byId(plain.brands),
    ads: byId(plain.ads),
  };
  const paid = state.ledger.filter(({ reason }) => reason === "charge");
  const charges = new Map(paid.map((entry) => [entry.jobId, entry]));
  for (const job of plain.jobs) {
    const charge = charges.get(job.id);
    const record: JobRecord = { ...job, duration: job.duration, ...(charge && { charge }) };
    addJob(state, record);
    scheduleRefund({ account: state, rules }, record);
  }
  return { masked: maskKey(key), opening: { credits: starting }, state, offsetMs };
};

/** Reads a count of a snapshot, which has `null` for `Infinity`. */
const countOf = (count: number | null): number => count ?? Number.POSITIVE_INFINITY;

const restoreOutcomes = ({ outcomes, outcomesIssued: issued }: Plain): Plans<JobEnd> => ({
  issued,
  planned: outcomes.map(({ end, number, taken, seen, remaining, ...choice }) => ({
    number,
    what: endOf(end),
    options: copyOptions({ ...choice, times: taken + countOf(remaining) }),
    seen,
    done: taken,
  })),
});

const restoreFaults = ({ faults: { issued, planned } }: Plain): Plans<MockFault> => ({
  issued,
  planned: planned.map(({ fault, options, played, ...rest }) => ({
    ...rest,
    what: copyFault(fault),
    options: copyOptions({ ...options, times: countOf(options.times) }),
    done: played,
  })),
});

/** Copies a snapshot, which may come from a file. */
const copyOf = (snapshot: unknown): Plain => {
  try {
    return JSON.parse(JSON.stringify(snapshot));
  } catch {
    throw refusal("snapshot", "JSON");
  }
};

/**
 * Makes the world that a snapshot holds, and refuses a torn or foreign file: every field must have
 * its type, every thing its own id. Sums are not proven: an edited ledger may not add up to the
 * balances, or may pay for jobs that do not exist.
 *
 * @param before - `everClosed` of the world before
 * @throws TypeError when it is not a snapshot
 */
export const readSnapshot = (
  snapshot: MockSnapshot,
  { rules, journalLimit }: MockServiceConfig,
  before: World["everClosed"],
): { readonly world: World; readonly at: number } => {
  // This copy keeps the order of the fields, and that of the schema does not.
  const plain = copyOf(snapshot);
  requireFit("snapshot", snapshotSchema, plain);
  const journal = createJournalStore(journalLimit, plain.forgotten);
  for (const record of plain.journal) {
    const { operation, key, status, fault, jobId, hint } = record;
    const read = { operation, key, status, fault: fault && copyFault(fault), jobId, hint };
    journal.add({ ...record, ...read });
  }
  const closed = new Map(Object.entries(plain.closed));
  const everClosed = new Map(before);
  for (const [key, number] of closed) {
    everClosed.set(key, Math.max(number, everClosed.get(key) ?? 0));
  }
  const world: World = {
    seed: plain.seed,
    closed,
    everClosed,
    accounts: new Map(
      plain.accounts.map((account) => [account.key, restoreAccount(account, rules)]),
    ),
    plannedEnds: restoreOutcomes(plain),
    faults: restoreFaults(plain),
    journal,
    requests: plain.requests,
  };
  return { world, at: plain.at };
};
