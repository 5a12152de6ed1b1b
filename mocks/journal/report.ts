/** Sentences of a failed assertion: the requests that were expected, and those that were seen. */
import { describeChoice, keysOf, listSome, show } from "../options/require.ts";
import type { JournalEntry, JournalRecord } from "./entry.ts";
import { differenceOf, facts, findMisfits, type JournalFilter } from "./filter.ts";
import { maskKey } from "./redact.ts";

/** Describes the requests that a filter asks for: `1 jobs.submit of edit-ad (status 402)`. */
export const describeFilter = (filter: JournalFilter, count: number): string => {
  const account = filter.account === undefined ? undefined : maskKey(filter.account);
  // In one order, whichever way the filter came.
  const asked = Object.fromEntries(keysOf(facts).map((name) => [name, filter[name]]));
  return `${count} ${describeChoice({ ...asked, account }, count === 1 ? "request" : "requests")}`;
};

/** Facts that tell apart the requests that were seen, when the filter asks about them. */
const telling = ["account", "job", "path", "status", "fault", "body"] as const;

const describeSeen = (record: JournalRecord, filter: JournalFilter): string => {
  const { operation, method, path } = record;
  const asked = telling.filter((name) => filter[name] !== undefined);
  const others = Object.fromEntries(asked.map((name) => [name, facts[name].of(record)]));
  return describeChoice(
    { operation, action: facts.action.of(record), ...others },
    `${method} ${path}`,
  );
};

const listOf = (descriptions: readonly string[]): string => listSome(descriptions, 8);

/** Whether a request has one of the wanted names; no choice fits all. */
const isOf = (wanted: string | readonly string[] | undefined, name: unknown): boolean =>
  wanted === undefined || [wanted].flat().some((one) => one === name);

/** Describes the requests that were seen: `2 jobs.submit of generate-ad, 1 jobs.list`. */
export const summarize = (records: readonly JournalRecord[], filter: JournalFilter): string => {
  const likeness = (record: JournalRecord): number =>
    (isOf(filter.operation, record.operation) ? 2 : 0) +
    (isOf(filter.action, facts.action.of(record)) ? 1 : 0);
  const counts = new Map<string, number>();
  // The requests most like those asked for come first, because the mistake is there.
  for (const record of records.toSorted((one, other) => likeness(other) - likeness(one))) {
    const description = describeSeen(record, filter);
    counts.set(description, (counts.get(description) ?? 0) + 1);
  }
  return listOf([...counts].map(([description, count]) => `${count} ${description}`)) || "nothing";
};

/** Describes one field of a request that is not as a filter wants it. */
const describeMisfit = (
  record: JournalRecord,
  filter: JournalFilter,
  name: keyof JournalFilter,
): string => {
  if (name === "account") return `account is ${facts.account.of(record)}`;
  const wanted = filter[name];
  if (name !== "body" && name !== "headers") {
    return `${name} is ${show(facts[name].of(record))}, not ${show(wanted)}`;
  }
  const { path = [], actual, expected } = differenceOf(record, { [name]: wanted }) ?? {};
  return `${[name, ...path].join(".")} is ${show(actual)}, not ${show(expected)}`;
};

/**
 * Describes the request that comes nearest to a choice without fitting it, the latest of several:
 * the mistake is most often there. Empty when there is none, or when the choice has one field.
 */
export const describeNearest = (
  records: readonly JournalRecord[],
  filter: JournalFilter,
): string => {
  const wanted = Object.values(filter).filter((value) => value !== undefined).length;
  let nearest: { record: JournalRecord; misfits: (keyof JournalFilter)[] } | undefined;
  for (const record of records) {
    const misfits = findMisfits(record, filter);
    if (misfits.length > 0 && misfits.length <= (nearest?.misfits.length ?? wanted - 1))
      nearest = { record, misfits };
  }
  if (nearest === undefined) return "";
  const { record, misfits } = nearest;
  const words = misfits.map((name) => describeMisfit(record, filter, name));
  return `. The nearest is request ${record.number}: ${listSome(words, 3)}`;
};

/** Advice for a test whose journal does not hold enough. */
const clearFirst = "clear the journal before the part that the test checks";

/** Describes requests that may have fitted, but are forgotten: empty when there are none. */
export const describeForgotten = (forgotten: number, limit: number): string => {
  if (forgotten === 0) return "";
  const requests = forgotten === 1 ? "request" : "requests";
  return (
    `. The journal has forgotten ${forgotten} earlier ${requests} that may fit ` +
    `(journalLimit is ${limit}): raise journalLimit, or ${clearFirst}`
  );
};

/** Describes a question that a journal without entries cannot answer. */
export const describeOff = (filter: JournalFilter, count: number): string =>
  `Expected ${describeFilter(filter, count)}; the journal is off (journalLimit is 0) and has seen ` +
  "nothing. Set journalLimit to the number of requests that the test sends, or more";

/** Names the keys of requests that no account has: empty when there are none. */
export const describeUnknownKeys = (
  entries: readonly JournalEntry[],
  accounts: readonly string[],
): string => {
  const unknown = new Set<string>();
  for (const { account } of entries) {
    if (account !== undefined && !accounts.includes(account)) unknown.add(account);
  }
  if (unknown.size === 0) return "";
  const known = accounts.length === 0 ? "there are none" : `they have ${listOf(accounts)}`;
  return `. No account has the key ${listOf([...unknown])} (keys are masked); ${known}`;
};
