import { scheduleRefund } from "../domain/apply-what-is-due.ts";
import { createCollection } from "../domain/collection.ts";
import type { LedgerEntry } from "../domain/credits.ts";
import type { JobRecord } from "../domain/job-timeline.ts";
import { type AccountState, createAccountState, type Rules } from "../domain/state.ts";
import type { FaultRecord } from "../faults/planned-faults.ts";
import { maskKey } from "../journal/mask-key.ts";
import { createJournalStore, type JournalRecord } from "../journal/store.ts";
import type { MockServiceConfig } from "../options/resolve-options.ts";
import { checkSnapshot } from "./restore.ts";
import type { AccountSlot, World } from "./world.ts";

/** A mock service at one moment, as plain JSON: for `restore`, now or in another process. */
export interface MockSnapshot {
  /** Of the format. */
  readonly version: 1;
  /** The service's time, in milliseconds since 1970. */
  readonly at: number;
  readonly [field: string]: unknown;
}

/** What goes into a snapshot. */
export interface SnapshotOptions {
  /** Whether the journal does. @default true */
  readonly journal?: boolean;
}

/** JSON has no `Infinity`. */
const endless = null;
const countOf = (count: number | null): number => count ?? Number.POSITIVE_INFINITY;
const jsonCount = (count: number): number | null => (Number.isFinite(count) ? count : endless);

type Plain<Record> = Omit<Record, "charge">;

/** What is written of an account; what can be worked out from it is left out. */
export interface PlainAccount
  extends Pick<
    AccountState,
    "key" | "starting" | "openedAt" | "seed" | "issued" | "balances" | "ledger"
  > {
  readonly offsetMs: number;
  /** Absent where it is beyond all dates. */
  readonly renewsAt: number | null;
  readonly jobs: readonly Plain<JobRecord>[];
  readonly brands: readonly { readonly id: string }[];
  readonly ads: readonly { readonly id: string; readonly brand_id?: unknown }[];
}

/** What a snapshot holds. */
export interface PlainWorld {
  readonly version: 1;
  readonly at: number;
  readonly seed: string;
  readonly requests: number;
  readonly accounts: readonly PlainAccount[];
  readonly outcomes: readonly { readonly end: object; readonly remaining: number | null }[];
  readonly faults: {
    readonly issued: number;
    readonly planned: readonly (Omit<FaultRecord, "options"> & {
      readonly options: Omit<FaultRecord["options"], "times"> & { readonly times: number | null };
    })[];
  };
  readonly journal: readonly JournalRecord[];
}

/** Oldest first, as they came. */
const inOrder = <Item extends { readonly id: string }>(collection: {
  list<View>(limit: number, view: (item: Item) => View | undefined): View[];
}): Item[] => collection.list(Number.POSITIVE_INFINITY, (item) => item).reverse();

const writeAccount = ({ state, offsetMs }: AccountSlot): PlainAccount => {
  const { key, starting, openedAt, renewsAt, seed, issued, balances, ledger } = state;
  return {
    ...{ key, starting, openedAt, renewsAt, seed, issued, balances, ledger, offsetMs },
    jobs: inOrder(state.jobs).map(({ charge: _, ...job }) => job),
    brands: inOrder(state.brands),
    ads: inOrder(state.ads),
  };
};

/** A copy that shares nothing with the service. */
export const writeSnapshot = (world: World, at: number, withJournal: boolean): MockSnapshot => {
  const plain: PlainWorld = {
    version: 1,
    at,
    seed: world.seed,
    requests: world.requests,
    accounts: [...world.accounts.values()].map(writeAccount),
    outcomes: world.plannedEnds.map((outcome) => ({
      ...outcome,
      remaining: jsonCount(outcome.remaining),
    })),
    faults: {
      issued: world.faults.issued,
      planned: world.faults.planned.map((record) => ({
        ...record,
        options: { ...record.options, times: jsonCount(record.options.times ?? 1) },
      })),
    },
    journal: withJournal ? world.journal.records : [],
  };
  return JSON.parse(JSON.stringify(plain));
};

const readAccount = (plain: PlainAccount, rules: Rules): AccountSlot => {
  const { key, seed, starting, openedAt } = plain;
  const state = createAccountState(key, seed, starting, openedAt);
  state.renewsAt = plain.renewsAt ?? Number.NaN;
  Object.assign(state.issued, plain.issued);
  Object.assign(state.balances, plain.balances);
  const charges = new Map<string, LedgerEntry>();
  for (const entry of plain.ledger) {
    state.ledger.push(Object.freeze(entry));
    if (entry.reason === "charge" && entry.jobId) charges.set(entry.jobId, entry);
  }
  const context = { account: state, rules, now: plain.openedAt, plannedEnds: [] };
  for (const job of plain.jobs) {
    const charge = charges.get(job.id);
    const record: JobRecord = { ...job, ...(charge && { charge }) };
    state.jobs.set(record);
    scheduleRefund(context, record);
  }
  for (const brand of plain.brands) state.brands.set(brand);
  for (const ad of plain.ads) {
    state.ads.set(ad);
    const { brand_id } = ad;
    if (typeof brand_id !== "string" || state.brands.get(brand_id) === undefined) continue;
    const siblings = state.adsOfBrand.get(brand_id) ?? createCollection();
    siblings.set(ad);
    state.adsOfBrand.set(brand_id, siblings);
  }
  return { masked: maskKey(key), state, offsetMs: plain.offsetMs };
};

/**
 * The world that a snapshot holds.
 *
 * @throws TypeError when it is no snapshot
 */
export const readSnapshot = (
  snapshot: MockSnapshot,
  { rules, journalLimit }: MockServiceConfig,
): { readonly world: World; readonly at: number } => {
  const plain = checkSnapshot(JSON.parse(JSON.stringify(snapshot ?? null)));
  const journal = createJournalStore(journalLimit);
  for (const record of plain.journal) journal.add(record);
  const world: World = {
    seed: plain.seed,
    accounts: new Map(plain.accounts.map((account) => [account.key, readAccount(account, rules)])),
    plannedEnds: plain.outcomes.map((outcome) => ({
      ...outcome,
      remaining: countOf(outcome.remaining),
    })),
    faults: {
      issued: plain.faults.issued,
      planned: plain.faults.planned.map((record) => ({
        ...record,
        options: { ...record.options, times: countOf(record.options.times) },
      })),
    },
    journal,
    requests: plain.requests,
  };
  return { world, at: plain.at };
};
