import { makeResult } from "../artwork/results.ts";
import { createOffsetClock, type ManualClock, type TimeOffset } from "../domain/clock.ts";
import type { Context } from "../domain/state.ts";
import {
  type AccountSlot,
  createWorld,
  requireSlot,
  timeOf,
  type World,
} from "../http/service-state.ts";
import type { PlanHost } from "../options/plan.ts";
import type { MockServiceConfig } from "../options/resolve-options.ts";

/** The parts that a service and the views of its accounts share. */
export interface Engine {
  readonly config: MockServiceConfig;
  /** Holds the world, which `reset` replaces. */
  readonly current: { world: World };
  /** The service's time, ahead of the given clock by `ahead`. */
  readonly clock: ManualClock;
  readonly ahead: TimeOffset;
  readonly host: PlanHost;
}

export const createEngine = (config: MockServiceConfig): Engine => {
  const ahead = { offsetMs: 0 };
  const clock = createOffsetClock(config.clock, () => ahead);
  const current = { world: createWorld(config, clock.now()) };
  const host: PlanHost = {
    requireAccount: (key) => void requireSlot(current.world, key),
  };
  return { config, current, clock, ahead, host };
};

/** Returns the circumstances of an operation of an account, now. */
export const contextOf = ({ config, current, clock }: Engine, slot: AccountSlot): Context => ({
  account: slot.state,
  rules: config.rules,
  now: timeOf(slot, clock.now()),
  plannedEnds: current.world.plannedEnds,
  makeResult,
});
