import { openAccount } from "../domain/accounts.ts";
import {
  createOffsetClock,
  endOfTimeMs,
  type ManualClock,
  type TimeOffset,
} from "../domain/clock.ts";
import type { JobOutcome } from "../domain/job-timeline.ts";
import type { Schedule } from "../domain/schedule.ts";
import { type Opening, seedAccount } from "../domain/seed-account.ts";
import type { AccountState } from "../domain/state.ts";
import type { MockFault } from "../faults/fault.ts";
import type { JournalStore } from "../journal/journal.ts";
import { maskKey } from "../journal/redact.ts";
import { listSome } from "../options/require.ts";
import type { MockServiceConfig } from "../options/resolve-options.ts";
import type { Answer } from "./answer-call.ts";

/** An account, and how far its clock is ahead of the service's. */
export interface AccountSlot extends TimeOffset {
  readonly masked: string;
  /** What the account had when it was opened. A reset opens it with this again. */
  readonly opening: Opening;
  readonly state: AccountState;
  /** The calls by which the account's page created something, by their `Idempotency-Key`. */
  readonly pageCalls: Map<string, { readonly call: string; readonly answer: Answer }>;
}

/** Returns an account's own time. */
export const accountTime = ({ offsetMs }: AccountSlot, serviceNow: number): number =>
  Math.min(serviceNow + offsetMs, endOfTimeMs);

/** Everything that a service and the views of its accounts share. A reset empties it. */
export interface ServiceState extends TimeOffset {
  readonly config: MockServiceConfig;
  /** The service's time, ahead of the given clock by `offsetMs`. */
  readonly clock: ManualClock;
  readonly accounts: Map<string, AccountSlot>;
  /** Number of closed accounts of each key that had created ids, so that no id is given out twice. */
  readonly closed: Map<string, number>;
  readonly scheduledEnds: Schedule<JobOutcome>;
  readonly faults: Schedule<MockFault>;
  readonly journal: JournalStore;
  /** Number of requests. A reset doesn't take it back, because request ids are made from it. */
  requests: number;
}

/** Counts an account as closed if it created ids. The next account of its key then gets another seed. */
const noteClosed = ({ closed }: ServiceState, { key, issued }: AccountState): void => {
  if (issued.job + issued.brand + issued.ad === 0) return;
  closed.set(key, 1 + (closed.get(key) ?? 0));
};

/** Opens an account at the service's time. It replaces the account of the same key, if there is one. */
export const openSlot = (state: ServiceState, key: string, opening: Opening): void => {
  const { config, accounts, closed } = state;
  const now = state.clock.now();
  const before = accounts.get(key);
  if (before !== undefined) noteClosed(state, before.state);
  const others = [...accounts.values()].filter((slot) => slot.state.key !== key);
  for (const { id } of opening.jobs ?? []) {
    // The URL of a picture names its job but no account, so job ids must differ between accounts.
    if (id === undefined || !others.some((slot) => slot.state.jobs.has(id))) continue;
    const message = `The mock's account "${key}" must have jobs with ids of its own; "${id}" is taken`;
    throw new TypeError(message);
  }
  const account = openAccount(key, opening.credits, config.seed, now, closed.get(key) ?? 0);
  seedAccount({ account, now }, opening);
  const slot = { masked: maskKey(key), opening, state: account, offsetMs: 0, pageCalls: new Map() };
  accounts.set(key, slot);
};

/** Closes an account; returns `false` when no account has this key. */
export const closeSlot = (state: ServiceState, key: string): boolean => {
  const slot = state.accounts.get(key);
  if (slot !== undefined) noteClosed(state, slot.state);
  return state.accounts.delete(key);
};

/**
 * Finds an account.
 *
 * @param missing - Explains in the message why the account is missing. @default no explanation
 * @throws Error when no account has this key
 */
export const requireSlot = (
  { accounts }: Pick<ServiceState, "accounts">,
  key: string,
  missing = "",
): AccountSlot => {
  const slot = accounts.get(key);
  if (slot !== undefined) return slot;
  const others = listSome([...accounts.keys()], 8) || "no account";
  const message = `The mock has no account "${key}"${missing}; it has ${others}`;
  throw new Error(message);
};

const openAccounts = (state: ServiceState): void => {
  for (const [key, opening] of state.config.accounts) openSlot(state, key, opening);
};

export const createServiceState = (config: MockServiceConfig): ServiceState => {
  const state: ServiceState = {
    config,
    clock: createOffsetClock(config.clock, () => state),
    offsetMs: 0,
    accounts: new Map(),
    closed: new Map(),
    scheduledEnds: { issued: 0, waiting: [] },
    faults: { issued: 0, waiting: [] },
    journal: { records: [], forgotten: 0 },
    requests: 0,
  };
  openAccounts(state);
  return state;
};

/** Starts over. The counts that ids are made from go on, so that no id is given out twice. */
export const resetState = (state: ServiceState): void => {
  const { accounts, scheduledEnds, faults, journal } = state;
  for (const slot of accounts.values()) noteClosed(state, slot.state);
  accounts.clear();
  scheduledEnds.waiting = [];
  faults.waiting = [];
  journal.records = [];
  journal.forgotten = 0;
  state.offsetMs = 0;
  openAccounts(state);
};
