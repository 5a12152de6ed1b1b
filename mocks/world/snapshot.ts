import type * as z from "zod/mini";
import type { snapshotSchema } from "./snapshot-schema.ts";
import type { AccountSlot, World } from "./world.ts";

/** A mock service at one moment, as plain JSON: for `restore`, now or in another process. */
export interface MockSnapshot {
  /** Version of the format. */
  readonly version: 1;
  /** The service's time, in milliseconds since 1970. */
  readonly at: number;
  readonly [field: string]: unknown;
}

/** Parts of a snapshot. */
export interface SnapshotOptions {
  /** Includes the journal. @default true */
  readonly journal?: boolean;
}

type ReadonlyDeep<Value> = Value extends object
  ? { readonly [Name in keyof Value]: ReadonlyDeep<Value[Name]> }
  : Value;

type Plain = ReadonlyDeep<z.output<typeof snapshotSchema>>;

/** Writes a count for JSON, which has no `Infinity`. */
const jsonCount = (count: number): number | null => (Number.isFinite(count) ? count : null);

const writeAccount = ({ state, offsetMs }: AccountSlot): Plain["accounts"][number] => {
  const { key, starting, openedAt, renewsAt, seed, issued, balances, ledger } = state;
  return {
    ...{ key, starting, openedAt, renewsAt, seed, issued, balances, ledger, offsetMs },
    jobs: Array.from(state.jobs.values(), ({ charge: _, ...job }) => job),
    brands: [...state.brands.values()],
    ads: [...state.ads.values()],
  };
};

/** Writes a world as the text of a snapshot. */
export const writeSnapshot = (world: World, at: number, withJournal: boolean): string => {
  const plain: Plain = {
    version: 1,
    at,
    seed: world.seed,
    requests: world.requests,
    closed: Object.fromEntries(world.closed),
    accounts: [...world.accounts.values()].map(writeAccount),
    outcomes: world.plannedEnds.planned.map(({ number, what, options, done }) => {
      const { times, action, account } = options;
      const choice = { ...(action && { action }), ...(account && { account }) };
      return { number, end: what, ...choice, taken: done, remaining: jsonCount(times - done) };
    }),
    outcomesIssued: world.plannedEnds.issued,
    faults: {
      issued: world.faults.issued,
      planned: world.faults.planned.map(({ number, what, options, seen, done }) => {
        const times = jsonCount(options.times);
        return { number, fault: what, options: { ...options, times }, seen, played: done };
      }),
    },
    journal: withJournal
      ? world.journal.records.map(({ tookMs: _, response, ...record }) => ({
          ...record,
          response: response.join(""),
        }))
      : [],
    forgotten: withJournal ? world.journal.forgotten : [],
  };
  return JSON.stringify(plain);
};
