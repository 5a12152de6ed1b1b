import { openAccount } from "../domain/accounts.ts";
import { endOfTimeMs, type TimeOffset } from "../domain/clock.ts";
import type { PlannedEnds } from "../domain/planned-ends.ts";
import type { AccountState, Moves, StartingCredits } from "../domain/state.ts";
import type { FaultState } from "../faults/planned-faults.ts";
import { maskKey } from "../journal/mask-key.ts";
import { createJournalStore, type JournalStore } from "../journal/store.ts";
import type { MockServiceConfig } from "../options/resolve-options.ts";

/** An account, and the distance of its clock from the service's. */
export interface AccountSlot extends TimeOffset {
  readonly masked: string;
  readonly state: AccountState;
}

/** Gives an account's own time. */
export const timeOf = ({ offsetMs }: AccountSlot, serviceNow: number): number =>
  Math.min(serviceNow + offsetMs, endOfTimeMs);

/** All state that a reset throws away and a snapshot keeps, except the time. */
export interface World {
  /** Seed of ids and draws. */
  readonly seed: string;
  readonly accounts: Map<string, AccountSlot>;
  readonly plannedEnds: PlannedEnds;
  readonly faults: FaultState;
  readonly journal: JournalStore;
  requests: number;
  readonly moves: Moves;
}

/** Opens an account whose clock goes with the service's. */
export const openSlot = (
  key: string,
  credits: StartingCredits,
  seed: string,
  now: number,
): AccountSlot => ({
  masked: maskKey(key),
  state: openAccount(key, credits, seed, now),
  offsetMs: 0,
});

/**
 * Finds an account.
 *
 * @throws Error when no account has this key
 */
export const requireSlot = ({ accounts }: World, key: string): AccountSlot => {
  const slot = accounts.get(key);
  if (slot !== undefined) return slot;
  throw new Error(`The mock has no account "${key}"; it has ${[...accounts.keys()].join(", ")}`);
};

/** Creates the world of a new service, or of one that was reset. */
export const createWorld = (config: MockServiceConfig, now: number): World => ({
  seed: config.seed,
  accounts: new Map(
    Array.from(config.accounts, ([key, credits]) => [
      key,
      openSlot(key, credits, config.seed, now),
    ]),
  ),
  plannedEnds: { issued: 0, planned: [] },
  faults: { issued: 0, planned: [] },
  journal: createJournalStore(config.journalLimit),
  requests: 0,
  moves: { count: 0 },
});
