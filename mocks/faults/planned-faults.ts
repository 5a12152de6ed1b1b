import type { EndpointName } from "../../src/contract/endpoint.ts";
import { refusal } from "../options/require.ts";
import { drawMs } from "../seeded/draw.ts";
import { randomOf } from "../seeded/ids.ts";
import type { FaultOptions, MockFace, MockFault, MockFaults, PlannedFault } from "./fault.ts";
import { checkFault, checkFaultOptions } from "./fault-checks.ts";

/** One fault that waits, as the snapshot keeps it. */
export interface FaultRecord {
  readonly number: number;
  readonly fault: MockFault;
  readonly options: FaultOptions;
  /** How many requests it could have met: the count that a probability is drawn by. */
  seen: number;
  played: number;
}

export interface FaultState {
  /** How many were ever planned. */
  issued: number;
  readonly planned: FaultRecord[];
}

/** What a request meets. */
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
): boolean =>
  (account === undefined || account === key) &&
  (operation === undefined || (name !== undefined && [operation].flat().includes(name)));

/** Which faults a request meets: the latencies that fit it, and the oldest of the others. */
export const meetFaults = (
  state: FaultState,
  seed: string,
  name: EndpointName | undefined,
  key: string | undefined,
): MetFault => {
  let met: MockFault | undefined;
  let latency: MockFault | undefined;
  let delayMs = 0;
  for (const record of [...state.planned]) {
    const { fault, options } = record;
    if (!fits(record, name, key) || (met && fault.kind !== "latency")) continue;
    record.seen += 1;
    const draw = `${seed}/${idOf(record)}/${record.seen}`;
    if (options.probability !== undefined && randomOf(draw) >= options.probability) continue;
    record.played += 1;
    if (remainingOf(record) <= 0) state.planned.splice(state.planned.indexOf(record), 1);
    if (fault.kind === "latency") {
      latency = fault;
      delayMs += drawMs(fault.ms, `${draw}/ms`);
    } else met = fault;
  }
  return { fault: met ?? latency, delayMs };
};

/** Faults that a face could only play as something else are refused. */
export const requirePlayable = ({ name, cannotPlay }: MockFace, { kind }: MockFault): void => {
  if (cannotPlay.includes(kind)) throw new TypeError(`${name} cannot play the fault "${kind}"`);
};

/** Takes out of a list what is not to be kept, and says how many that were. */
export const keepOnly = <Item>(items: Item[], keep: (item: Item) => boolean): number => {
  const kept = items.filter(keep);
  const removed = items.length - kept.length;
  items.length = 0;
  for (const item of kept) items.push(item);
  return removed;
};

/**
 * `requireAccount` throws where there is no such account; `account`: for the faults of one account
 * alone, its key.
 */
export const createFaults = (
  current: { readonly world: { readonly faults: FaultState } },
  faces: ReadonlySet<MockFace>,
  requireAccount: (key: string) => void,
  account?: string,
): MockFaults => {
  const isOurs = ({ options }: FaultRecord): boolean =>
    account === undefined || options.account === account;

  return {
    get planned() {
      return current.world.faults.planned.filter(isOurs).map(show);
    },
    play: (fault, options = {}) => {
      const checked = checkFault(fault);
      const checkedOptions = checkFaultOptions(options);
      const only = checkedOptions.account ?? account;
      if (only !== undefined) requireAccount(only);
      if (account !== undefined && only !== account) {
        throw refusal("fault's account", "left out: the faults are those of one account");
      }
      for (const face of faces) requirePlayable(face, checked);
      const present = current.world.faults;
      present.issued += 1;
      const record: FaultRecord = {
        number: present.issued,
        fault: checked,
        options: { ...checkedOptions, ...(account !== undefined && { account }) },
        seen: 0,
        played: 0,
      };
      present.planned.push(record);
      return show(record);
    },
    remove: (id) =>
      keepOnly(current.world.faults.planned, (record) => !isOurs(record) || idOf(record) !== id) >
      0,
    clear: () => void keepOnly(current.world.faults.planned, (record) => !isOurs(record)),
  };
};
