import type * as z from "zod/mini";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import { fitsOperation } from "../options/fields.ts";
import { createPlans } from "../options/plan.ts";
import { refusal, requireFit } from "../options/require.ts";
import { drawMs } from "../seeded/draw.ts";
import { randomOf } from "../seeded/ids.ts";
import {
  type FaultOptions,
  isCombined,
  type MockFace,
  type MockFault,
  type MockFaults,
  type PlannedFault,
} from "./fault.ts";
import { faultOptionsSchema, faultSchema } from "./fault-schema.ts";

/** One fault that waits, as a snapshot keeps it. */
export interface FaultRecord {
  readonly number: number;
  readonly fault: MockFault;
  readonly options: FaultOptions;
  /** Count of the requests that it could have met; a probability is drawn by it. */
  seen: number;
  played: number;
}

/** Faults of a service that wait. */
export interface FaultState {
  /** Count of all faults so far, from which the next id is made. */
  issued: number;
  planned: readonly FaultRecord[];
}

/** Faults that one request meets. */
export interface MetFault {
  readonly fault: MockFault | undefined;
  readonly delayMs: number;
}

const idOf = ({ number }: FaultRecord): string => `fault_${number}`;

const remainingOf = ({ options, played }: FaultRecord): number => (options.times ?? 1) - played;

const show = (record: FaultRecord): PlannedFault => ({
  ...record.options,
  id: idOf(record),
  fault: record.fault,
  played: record.played,
  remaining: remainingOf(record),
});

const fits = (
  { options: { operation, account } }: FaultRecord,
  name: EndpointName | undefined,
  key: string | undefined,
): boolean => (account === undefined || account === key) && fitsOperation(name, operation);

/**
 * Finds the faults that a request meets: the latencies that fit it, and the oldest other fault.
 * One that asks for nothing of the API meets none: a poll by `curl` must not use up a plan.
 */
export const meetFaults = (
  state: FaultState,
  seed: string,
  name: EndpointName | undefined,
  key: string | undefined,
): MetFault => {
  if (name === undefined) return { fault: undefined, delayMs: 0 };
  let met: MockFault | undefined;
  let latency: MockFault | undefined;
  let delayMs = 0;
  let isSpent = false;
  for (const record of state.planned) {
    const { fault, options } = record;
    const isTaken = met !== undefined && !isCombined(fault);
    if (isTaken || !fits(record, name, key)) continue;
    record.seen += 1;
    const draw = `${seed}/${idOf(record)}/${record.seen}`;
    if (options.probability !== undefined && randomOf(draw) >= options.probability) continue;
    record.played += 1;
    isSpent ||= remainingOf(record) <= 0;
    if (isCombined(fault)) {
      latency = fault;
      delayMs += drawMs(fault.ms, `${draw}/ms`);
    } else met = fault;
  }
  if (isSpent) state.planned = state.planned.filter((record) => remainingOf(record) > 0);
  return { fault: met ?? latency, delayMs };
};

/** Makes a copy of a fault that fits its schema; the copy cannot be changed. */
export const copyFault = (fault: z.output<typeof faultSchema>): MockFault => {
  const copy: MockFault = JSON.parse(JSON.stringify(fault));
  for (const part of [...Object.values(copy), copy]) Object.freeze(part);
  return copy;
};

/** Makes a copy of options that fit their schema, without fields that are `undefined`. */
export const copyFaultOptions = ({
  times,
  operation,
  account,
  probability,
}: z.output<typeof faultOptionsSchema>): FaultOptions => ({
  ...(times !== undefined && { times }),
  ...(operation !== undefined && { operation: [operation].flat() }),
  ...(account !== undefined && { account }),
  ...(probability !== undefined && { probability }),
});

/** Refuses faults that a face could only play as something else. */
export const requirePlayable = ({ name, cannotPlay }: MockFace, { kind }: MockFault): void => {
  if (cannotPlay.includes(kind)) throw new TypeError(`${name} cannot play the fault "${kind}"`);
};

const kind = {
  one: "fault",
  done: "played",
  remove: "faults.remove",
  clear: "faults.clear",
  show,
  whatOf: ({ fault }: PlannedFault) => fault,
  countDone: ({ played }: PlannedFault) => played,
} as const;

/**
 * Makes the faults of a service, or of one account.
 *
 * @param requireAccount - Throws when there is no account of that key
 * @param account - Key of the account whose faults these are. @default all accounts
 */
export const createFaults = (
  current: { readonly world: { readonly faults: FaultState } },
  faces: ReadonlySet<MockFace>,
  requireAccount: (key: string) => void,
  account?: string,
): MockFaults => {
  const plans = createPlans(kind, () => current.world.faults, requireAccount, account);
  return {
    get planned() {
      return plans.list();
    },
    play: (fault, options = {}) => {
      const copy = copyFault(requireFit("fault", faultSchema, fault));
      const checked = requireFit("fault options", faultOptionsSchema, options);
      const only = checked.account ?? account;
      if (account !== undefined && only !== account) {
        throw refusal(
          "fault options.account",
          `left out or "${account}", because these are the faults of that account`,
        );
      }
      for (const face of faces) requirePlayable(face, fault);
      const which = copyFaultOptions({ ...checked, account: only });
      return plans.add(only, (number) => {
        return { number, fault: copy, options: which, seen: 0, played: 0 };
      });
    },
    remove: plans.remove,
    clear: plans.clear,
    assertPlayed: plans.assertDone,
  };
};
