import type { EndpointName } from "../../src/contract/endpoint.ts";
import { drawMs } from "../domain/draw.ts";
import { isNext, markDone, type Schedule } from "../domain/schedule.ts";
import { copyJson } from "../options/fields.ts";
import { requireFit } from "../options/require.ts";
import { createScheduler } from "../options/scheduler.ts";
import { isCombined, type MockFault, type MockFaults, type ScheduledFault } from "./fault.ts";
import { faultOptionsSchema, faultSchema } from "./fault-schema.ts";

/**
 * Finds the faults that a request meets: every latency that is for it, and the oldest other fault. A
 * request outside the API meets no fault. A request with an unknown key meets only faults with
 * `times: Infinity`, so that a stray `curl` doesn't use up another fault.
 */
export const meetFaults = (
  schedule: Schedule<MockFault>,
  seed: string,
  name: EndpointName | undefined,
  account: string | undefined,
  isKnown: boolean,
  body: () => unknown,
) => {
  let met: MockFault | undefined;
  let latency: MockFault | undefined;
  let delayMs = 0;
  if (name === undefined) return { fault: undefined, delayMs };
  const request = { operation: name, account, body };
  for (const scheduled of schedule.waiting) {
    const { what: fault, options } = scheduled;
    if (met !== undefined && !isCombined(fault)) continue;
    if (!isKnown && options.times !== Number.POSITIVE_INFINITY) continue;
    if (!isNext(scheduled, request)) continue;
    const draw = `${seed}/fault_${scheduled.number}/${scheduled.seen}`;
    markDone(schedule, scheduled);
    if (isCombined(fault)) {
      latency = fault;
      delayMs += drawMs(fault.ms, `${draw}/ms`);
    } else met = fault;
  }
  return { fault: met ?? latency, delayMs };
};

/**
 * Creates `faults` of a service, or of one account.
 *
 * @param account - API key of the only account that these faults are for. @default all accounts
 */
export const createFaults = (
  state: { readonly faults: Schedule<MockFault> },
  requireAccount: (key: string) => void,
  account?: string,
): MockFaults => {
  const scheduler = createScheduler<MockFault, MockFault, ScheduledFault>(
    {
      one: "fault",
      done: "played",
      remove: "faults.remove",
      options: faultOptionsSchema,
      read: (fault) => {
        const copy = copyJson(requireFit("fault", faultSchema, fault)) as MockFault;
        for (const part of [...Object.values(copy), copy]) Object.freeze(part);
        return copy;
      },
      show: (fault) => ({ fault }),
    },
    state.faults,
    requireAccount,
    account,
  );
  return {
    get scheduled() {
      return scheduler.list();
    },
    play: scheduler.add,
    remove: scheduler.remove,
    clear: scheduler.clear,
    assertPlayed: scheduler.assertDone,
  };
};
