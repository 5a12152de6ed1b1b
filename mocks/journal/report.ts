/** Sentences of a failed assertion: the requests that were expected, and those that were seen. */
import { cut, describeChoice, isRecord, keysOf, listSome, show } from "../options/require.ts";
import type { JournalRecord } from "./entry.ts";
import { type Choice, facts, findMisfits, type JournalFilter, type Misfit } from "./filter.ts";
import { type Keys, maskKey } from "./redact.ts";

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

const describeMisfit = ({ name, path, actual, expected }: Misfit): string => {
  if (name === "account") return `account is ${actual}`;
  return `${cut([name, ...path].join("."))} is ${show(actual)}, not ${show(expected)}`;
};

/** Counts the fields that are wanted of a value, all of those in an object. */
const countFields = (wanted: unknown): number =>
  isRecord(wanted)
    ? Object.values(wanted).reduce<number>((sum, value) => sum + countFields(value), 0) || 1
    : 1;

/**
 * Describes the request that comes nearest to a choice without fitting it, the latest of several:
 * the mistake is most often there. To a choice of one field a request is near only by the fields of
 * its body or by its headers.
 *
 * @param keys - Keys that no header may show
 */
export const describeNearest = (
  records: readonly JournalRecord[],
  filter: Choice,
  keys: Keys,
): string | undefined => {
  const wanted = Object.values(filter).filter((value) => value !== undefined).length;
  let least = Number.POSITIVE_INFINITY;
  let nearest: { number: number; misfits: readonly Misfit[] } | undefined;
  for (const record of records) {
    const misfits = findMisfits(record, filter, keys);
    const wrong = new Set(misfits.map(({ name }) => name)).size;
    const isNear = wrong < wanted || (wanted === 1 && misfits.some(({ path }) => path.length > 0));
    let distance = 0;
    // A field with another value is nearer than none.
    for (const { actual, expected } of misfits)
      distance += countFields(expected) * (actual === undefined ? 2 : 1);
    if (wrong === 0 || !isNear || distance > least) continue;
    least = distance;
    nearest = { number: record.number, misfits };
  }
  if (nearest === undefined) return undefined;
  return `request ${nearest.number}: ${listSome(nearest.misfits.map(describeMisfit), 3, "; ")}`;
};

/** Advice for a test whose journal does not hold enough. */
const clearFirst = "clear the journal before the part that the test checks";

/** Describes requests that may have fitted, but are forgotten: empty when there are none. */
export const describeForgotten = (forgotten: number, limit: number): string => {
  if (forgotten === 0) return "";
  const requests = forgotten === 1 ? "request" : "requests";
  return (
    `.\n  The journal has forgotten ${forgotten} earlier ${requests} that may fit ` +
    `(journalLimit is ${limit}): raise journalLimit, or ${clearFirst}`
  );
};

/** Describes a question that a journal without entries cannot answer. */
export const describeOff = (filter: JournalFilter, count: number): string =>
  `Expected ${describeFilter(filter, count)}; the journal is off (journalLimit is 0) and has seen ` +
  "nothing. Set journalLimit to the number of requests that the test sends, or more";

/** Names the keys of requests that no account has: empty when there are none. */
export const describeUnknownKeys = (
  records: readonly JournalRecord[],
  accounts: readonly string[],
): string => {
  const unknown = new Set<string>();
  for (const { key } of records) {
    if (key !== undefined && !accounts.includes(maskKey(key))) unknown.add(maskKey(key));
  }
  if (unknown.size === 0) return "";
  const known = accounts.length === 0 ? "there are none" : `they have ${listOf(accounts)}`;
  return `.\n  No account has the key ${listOf([...unknown])} (keys are masked); ${known}`;
};
