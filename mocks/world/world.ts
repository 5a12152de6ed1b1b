import { openAccount } from "../domain/accounts.ts";
import { endOfTimeMs } from "../domain/clock.ts";
import type { AccountState, PlannedOutcome, StartingCredits } from "../domain/state.ts";
import type { FaultState } from "../faults/planned-faults.ts";
import { maskKey } from "../journal/mask-key.ts";
import { createJournalStore, type JournalStore } from "../journal/store.ts";
import type { MockServiceConfig } from "../options/resolve-options.ts";

/** An account, and how far its clock is ahead of the service's. */
export interface Tenant {
  /** The key, masked. */
  readonly masked: string;
  readonly state: AccountState;
  offsetMs: number;
}

/** An account's own time. */
export const timeOf = ({ offsetMs }: Tenant, serviceNow: number): number =>
  Math.min(serviceNow + offsetMs, endOfTimeMs);

/** Everything that a reset throws away and a snapshot keeps, the time excepted. */
export interface World {
  /** What ids and draws are made from. */
  readonly seed: string;
  readonly tenants: Map<string, Tenant>;
  readonly outcomes: PlannedOutcome[];
  readonly faults: FaultState;
  readonly journal: JournalStore;
  /** How many were answered. */
  requests: number;
}

export const openTenant = (
  key: string,
  credits: StartingCredits,
  seed: string,
  now: number,
): Tenant => ({
  masked: maskKey(key),
  state: openAccount(key, credits, seed, now),
  offsetMs: 0,
});

export const createWorld = (config: MockServiceConfig, now: number): World => ({
  seed: config.seed,
  tenants: new Map(
    Array.from(config.accounts, ([key, credits]) => [
      key,
      openTenant(key, credits, config.seed, now),
    ]),
  ),
  outcomes: [],
  faults: { issued: 0, planned: [] },
  journal: createJournalStore(config.journalLimit),
  requests: 0,
});
