import { makeResult } from "../artwork/results.ts";
import type { Context } from "../domain/state.ts";
import { type AccountSlot, accountTime, type ServiceState } from "../http/service-state.ts";

/** Returns the context of an operation that a test runs on an account without a request. */
export const contextOf = (state: ServiceState, slot: AccountSlot): Context => ({
  account: slot.state,
  rules: state.config.rules,
  now: accountTime(slot, state.clock.now()),
  scheduledEnds: state.scheduledEnds,
  makeResult,
});
