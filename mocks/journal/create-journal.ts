import { isAction } from "../../src/contract/actions.ts";
import { isDeeperThan, maxDepth } from "../domain/depth.ts";
import { checkFilter, describeFilter, fitsBody, fitsOutside, summarize } from "./filter.ts";
import type { JournalEntry, JournalFilter, MockJournal } from "./journal.ts";
import { maskKey } from "./mask-key.ts";
import type { JournalRecord, JournalStore } from "./store.ts";

/** JSON, or the text when it is none, or none that could be written again. */
const parse = (text: string): unknown => {
  if (text === "") return undefined;
  try {
    const value = JSON.parse(text);
    return isDeeperThan(maxDepth, value) ? text : value;
  } catch {
    return text;
  }
};

const show = (record: JournalRecord): JournalEntry => {
  const { key, request, status, response, ...entry } = record;
  const body = parse(request);
  const action = typeof body === "object" && body !== null && "action" in body && body.action;
  return {
    ...entry,
    account: key === undefined ? undefined : maskKey(key),
    body,
    action: isAction(action) ? action : undefined,
    answer: status === undefined ? undefined : { status, body: parse(response) },
  };
};

/** `account`: for the journal of one account alone, its key. */
export const createJournal = (
  current: { readonly world: { readonly journal: JournalStore } },
  account?: string,
): MockJournal => {
  const isOurs = ({ key }: JournalRecord): boolean => account === undefined || key === account;
  const ours = (): readonly JournalRecord[] => {
    const { records } = current.world.journal;
    return account === undefined ? records : records.filter(isOurs);
  };

  const find = (filter: JournalFilter = {}): readonly JournalEntry[] => {
    checkFilter(filter);
    return ours()
      .filter((record) => fitsOutside(record, filter))
      .map(show)
      .filter((entry) => fitsBody(entry, filter));
  };

  const assertCount = (count: number, filter: JournalFilter = {}): readonly JournalEntry[] => {
    const found = find(filter);
    if (found.length === count) return found;
    const expected = describeFilter(filter, count);
    throw new Error(`Expected ${expected}; saw ${summarize(ours().map(show), filter)}`);
  };

  return {
    get entries() {
      return ours().map(show);
    },
    get count() {
      return ours().length;
    },
    latest: (limit) => (limit > 0 ? ours().slice(-limit).map(show) : []),
    find,
    assertOne: (filter) => assertCount(1, filter)[0] as JournalEntry,
    assertCount,
    assertNone: (filter) => void assertCount(0, filter),
    clear: () => current.world.journal.forget(isOurs),
  };
};
