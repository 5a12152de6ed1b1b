import type { JournalRecord } from "./entry.ts";
import { factsOf, fitsFacts, type JournalFilter, type RequestFacts } from "./filter.ts";

/** Requests that the journal has forgotten, and that have these facts in common. */
export interface ForgottenGroup {
  /** Facts of all of them; absent when they are unknown. */
  readonly facts?: RequestFacts | undefined;
  /** Number of the latest of them. */
  latest: number;
  count: number;
}

/** Requests that a journal has forgotten, counted in groups. */
export interface Forgotten {
  readonly groups: readonly ForgottenGroup[];
  add(record: JournalRecord): void;
  /** Counts a request of which nothing shall be known. */
  addUnknown(number: number): void;
  /** Counts those that may fit a filter, as far as their facts tell. */
  countFor(filter: JournalFilter): number;
  /** Clears those with a key; without one, all. */
  clear(account: string | undefined): void;
}

/** Groups of known facts. Clients may invent keys and methods without end. */
const maxGroups = 1_000;

const nameOf = ({ key, operation, method, status, fault }: RequestFacts): string =>
  `${operation} ${status} ${fault} ${method} ${key}`;

export const createForgotten = (before: readonly ForgottenGroup[]): Forgotten => {
  const groups = new Map<string, ForgottenGroup>();

  const count = (facts: RequestFacts | undefined, number: number, more: number): void => {
    const known = facts && nameOf(facts);
    const isKept = known !== undefined && (groups.has(known) || groups.size < maxGroups);
    const name = isKept ? known : "";
    const group = groups.get(name) ?? { facts: isKept ? facts : undefined, latest: 0, count: 0 };
    group.latest = Math.max(group.latest, number);
    group.count += more;
    groups.set(name, group);
  };

  for (const group of before) count(group.facts, group.latest, group.count);

  return {
    get groups() {
      return [...groups.values()];
    },
    add: (record) => count(factsOf(record), record.number, 1),
    addUnknown: (number) => count(undefined, number, 1),
    countFor: (filter) => {
      const { number = 0 } = filter;
      let sum = 0;
      for (const group of groups.values()) {
        const mayFit = group.facts === undefined || fitsFacts(group.facts, filter);
        if (mayFit && number <= group.latest) sum += group.count;
      }
      return sum;
    },
    clear: (account) => {
      for (const [name, { facts }] of groups) {
        if (account === undefined || facts?.key === account) groups.delete(name);
      }
    },
  };
};
