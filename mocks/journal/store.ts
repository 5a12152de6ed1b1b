import { cutText } from "../seeded/cut-text.ts";
import { type CutText, isCut, type JournalRecord, showEntry } from "./entry.ts";

const mebi = 1024 * 1024;

/** Characters of one text, from which on its beginning alone is kept. */
const longestText = mebi;

/** Characters of all texts together, beyond which those of the oldest requests are cut. */
const maxCharacters = 16 * mebi;

/** Characters that a cut leaves of each text. */
export const shortLengths: Readonly<Record<CutText, number>> = {
  path: 500,
  request: 1_000,
  response: 500,
};

/** Keys whose forgotten requests are counted apart. Clients may invent keys without end. */
const maxKeys = 1_000;

/** Count of the requests of one key that the journal has forgotten. */
export interface ForgottenRequests {
  /** The key, if they had one; absent for those of several keys. */
  readonly facts?: { readonly key?: string | undefined } | undefined;
  /** Number of the latest of them. */
  readonly latest: number;
  readonly count: number;
}

const sizeOf = ({ request, response, path, key = "" }: JournalRecord): number => {
  let size = request.length + path.length + key.length;
  for (const part of response) size += part.length;
  return size;
};

/** Copies a text: a part of a text would keep the whole of it in memory. */
const copyOf = (text: string): string => [text.slice(0, 1), text.slice(1)].join("");

/** Joins the first parts of a text, more than `length` characters when it has so many. */
const startOf = (parts: readonly string[], length: number): string => {
  let start = "";
  for (const part of parts) {
    if (start.length > length) break;
    start += part;
  }
  return start;
};

/** Cuts those texts of a record that are longer than `most`, and than their short length. */
const cutTexts = (record: JournalRecord, most: number): void => {
  for (const name of ["path", "request", "response"] as const) {
    const longest = Math.max(shortLengths[name], most);
    const text = name === "response" ? startOf(record.response, longest) : record[name];
    if (text.length <= longest || isCut(record, name)) continue;
    if (name === "request") record.action = showEntry(record).action;
    const kept = copyOf(cutText(text, shortLengths[name], shortLengths[name]));
    if (name === "response") record.response = [kept];
    else record[name] = kept;
    record.cut = [...(record.cut ?? []), name];
  }
};

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
  /** Number of the oldest records whose texts were cut to make room. */
  let cutBefore = 0;
  let characters = 0;
  /** By key; `undefined` for those of several keys. */
  const forgotten = new Map<string | undefined, ForgottenRequests>();

  const forget = ({ facts, latest, count }: ForgottenRequests): void => {
    const own = facts && (facts.key ?? "");
    const name = forgotten.has(own) || forgotten.size < maxKeys ? own : undefined;
    const before = forgotten.get(name) ?? { latest: 0, count: 0 };
    forgotten.set(name, {
      ...(name !== undefined && { facts }),
      latest: Math.max(before.latest, latest),
      count: before.count + count,
    });
  };
  for (const requests of forgotBefore) forget(requests);

  const cut = (record: JournalRecord, most: number): void => {
    const size = sizeOf(record);
    if (size <= most) return;
    cutTexts(record, most);
    characters += sizeOf(record) - size;
  };

  return {
    limit,
    get records(): readonly JournalRecord[] {
      return records;
    },
    /** Requests that are no longer kept. */
    get forgotten(): readonly ForgottenRequests[] {
      return [...forgotten.values()];
    },
    /** Keeps a record, and owns it from then on: later it may cut its texts. */
    add: (record: JournalRecord): void => {
      records.push(record);
      characters += sizeOf(record);
      cut(record, longestText);
      const oldest = records.length > limit ? records.shift() : undefined;
      if (oldest !== undefined) {
        characters -= sizeOf(oldest);
        cutBefore = Math.max(cutBefore - 1, 0);
        forget({ facts: { key: oldest.key }, latest: oldest.number, count: 1 });
      }
      for (; characters > maxCharacters && cutBefore < records.length; cutBefore += 1) {
        cut(records[cutBefore] as JournalRecord, 0);
      }
    },
    /** Clears the requests with a key; without one, all. */
    clear: (key: string | undefined): void => {
      records = key === undefined ? [] : records.filter((record) => record.key !== key);
      cutBefore = 0;
      characters = records.reduce((sum, record) => sum + sizeOf(record), 0);
      if (key === undefined) forgotten.clear();
      else forgotten.delete(key);
    },
  };
};

export type JournalStore = ReturnType<typeof createJournalStore>;
