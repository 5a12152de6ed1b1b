import { openAccount } from "../domain/accounts.ts";
import { endOfTimeMs, type TimeOffset } from "../domain/clock.ts";
import type { JobEnd } from "../domain/job-timeline.ts";
import type { Schedule } from "../domain/schedule.ts";
import { type Opening, seedAccount } from "../domain/seed-account.ts";
import type { AccountState } from "../domain/state.ts";
import type { MockFault } from "../faults/fault.ts";
import type { JournalStore } from "../journal/journal.ts";
import { maskKey } from "../journal/redact.ts";
import { listSome } from "../options/require.ts";
import type { MockServiceConfig } from "../options/resolve-options.ts";

/** An account, and the distance of its clock from the service's. */
export interface AccountSlot extends TimeOffset {
  readonly masked: string;
  /** What it is opened with again at a reset. */
  readonly opening: Opening;
  readonly state: AccountState;
  /** Creations of its page by their `Idempotency-Key`, and what they were answered. */
  readonly pageCalls: Map<string, { readonly call: string; readonly answer: PageAnswer }>;
}

/** Returns an account's own time. */
export const accountTime = ({ offsetMs }: AccountSlot, serviceNow: number): number =>
  Math.min(serviceNow + offsetMs, endOfTimeMs);

/** An answer before a fault changes it. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** All state that a reset throws away, except the time. */
export interface ServiceState {
  /** Seed of ids and draws. */
  readonly seed: string;
  readonly accounts: Map<string, AccountSlot>;
  /** Number of closed accounts of each key that had created ids. It makes the next account's ids differ. */
  readonly closed: Map<string, number>;
  readonly scheduledEnds: Schedule<JobEnd>;
  readonly faults: Schedule<MockFault>;
  readonly journal: JournalStore;
  requests: number;
}

/** Counts an account as closed. Accounts without ids need no new seed. */
const noteClosed = ({ closed }: ServiceState, { key, issued }: AccountState): void => {
  if (issued.job + issued.brand + issued.ad === 0) return;
  closed.set(key, 1 + (closed.get(key) ?? 0));
};

/** Opens an account at the service's time. It replaces the account of the same key, if there is one. */
export const openSlot = (world: ServiceState, key: string, opening: Opening, now: number): void => {
  const { seed, accounts, closed } = world;
  const before = accounts.get(key);
  if (before !== undefined) noteClosed(world, before.state);
  const others = [...accounts.values()].filter(({ state }) => state.key !== key);
  for (const { id } of opening.jobs ?? []) {
    // The URL of a picture names its job but no account, so job ids must differ between accounts.
    if (id === undefined || !others.some(({ state }) => state.jobs.has(id))) continue;
    const message = `The mock's account "${key}" must have jobs with ids of its own; "${id}" is taken`;
    throw new TypeError(message);
  }
  const state = openAccount(key, opening.credits, seed, now, closed.get(key) ?? 0);
  seedAccount({ account: state, now }, opening);
  accounts.set(key, { masked: maskKey(key), opening, state, offsetMs: 0, pageCalls: new Map() });
};

/** Closes an account; returns `false` when no account has this key. */
export const closeSlot = (world: ServiceState, key: string): boolean => {
  const slot = world.accounts.get(key);
  if (slot !== undefined) noteClosed(world, slot.state);
  return world.accounts.delete(key);
};

/**
 * Finds an account.
 *
 * @param missing - Words that explain why the account is missing. @default no words
 * @throws Error when no account has this key
 */
export const requireSlot = ({ accounts }: ServiceState, key: string, missing = ""): AccountSlot => {
  const slot = accounts.get(key);
  if (slot !== undefined) return slot;
  const others = listSome([...accounts.keys()], 8) || "no account";
  const message = `The mock has no account "${key}"${missing}; it has ${others}`;
  throw new Error(message);
};

/**
 * Creates the world of a new service, or of one that was reset.
 *
 * @param before - The world that is reset: its counts go on, so that no id comes twice
 */
export const createServiceState = (
  config: MockServiceConfig,
  now: number,
  before?: ServiceState,
): ServiceState => {
  const world: ServiceState = {
    seed: config.seed,
    accounts: new Map(),
    closed: new Map(before?.closed),
    scheduledEnds: { issued: before?.scheduledEnds.issued ?? 0, waiting: [] },
    faults: { issued: before?.faults.issued ?? 0, waiting: [] },
    journal: { records: [], forgotten: 0 },
    requests: before?.requests ?? 0,
  };
  for (const { state } of before?.accounts.values() ?? []) noteClosed(world, state);
  for (const [key, opening] of config.accounts) openSlot(world, key, opening, now);
  return world;
};
