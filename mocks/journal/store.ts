import type { JournalRecord } from "./entry.ts";

/** Characters of an answer that a record keeps: a list of jobs holds all their pictures. */
const longestAnswer = 65_536;

/** Cuts a long answer. A part of a text alone would keep the whole of it in memory. */
export const keepText = (text: string): string =>
  text.length > longestAnswer ? [text.slice(0, longestAnswer), "…"].join("") : text;

/** Keys whose forgotten requests are counted apart. Clients may invent keys without end. */
const maxKeys = 1_000;

/** Count of the requests of one key that the journal has forgotten. */
export interface ForgottenRequests {
  /** The key, if they had one; absent for those of several keys. */
  readonly facts?: { readonly key?: string | undefined } | undefined;
  /** Number of the latest of them. */
  latest: number;
  count: number;
}

/**
 * Keeps requests in memory, oldest first, up to a limit.
 *
 * @param limit - Count of the requests that are kept; 0 for a journal that is off
 */
export const createJournalStore = (
  limit: number,
  forgotBefore: readonly ForgottenRequests[] = [],
) => {
  let records: JournalRecord[] = [];
  /** By key; `undefined` for those of several keys. */
  const forgotten = new Map<string | undefined, ForgottenRequests>();

  const forget = ({ facts, latest, count }: ForgottenRequests): void => {
    const own = facts && (facts.key ?? "");
    const name = forgotten.has(own) || forgotten.size < maxKeys ? own : undefined;
    const all = forgotten.get(name);
    if (all === undefined) {
      forgotten.set(name, { ...(name !== undefined && { facts }), latest, count });
      return;
    }
    all.latest = Math.max(all.latest, latest);
    all.count += count;
  };
  for (const requests of forgotBefore) forget(requests);

  return {
    limit,
    get records(): readonly JournalRecord[] {
      return records;
    },
    /** Requests that are no longer kept. */
    get forgotten(): readonly ForgottenRequests[] {
      return [...forgotten.values()];
    },
    add: (record: JournalRecord): void => {
      records.push(record);
      const oldest = records.length > limit ? records.shift() : undefined;
      if (oldest !== undefined) {
        forget({ facts: { key: oldest.key }, latest: oldest.number, count: 1 });
      }
    },
    /** Clears the requests with a key; without one, all. */
    clear: (key: string | undefined): void => {
      records = key === undefined ? [] : records.filter((record) => record.key !== key);
      if (key === undefined) forgotten.clear();
      else forgotten.delete(key);
    },
  };
};

export type JournalStore = ReturnType<typeof createJournalStore>;
