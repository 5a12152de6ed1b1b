/** Sentences of a failed assertion: the requests that were expected, and those that were seen. */
import { listSome } from "../options/require.ts";
import type { JournalEntry, JournalRecord } from "./entry.ts";
import { differenceOf, facts, findMisfits, type JournalFilter } from "./filter.ts";
import { maskKey } from "./redact.ts";

/** Describes the requests that a filter asks for: `1 jobs.submit of edit-ad answered with 402`. */
export const describeFilter = (filter: JournalFilter, count: number): string => {
  const { number, operation, account, action, job, method, path, status, fault } = filter;
  const { headers, body } = filter;
  const requests = count === 1 ? "request" : "requests";
  const parts = [operation === undefined ? requests : [operation].flat().join(" or ")];
  if (number !== undefined) parts.push(`number ${number}`);
  if (action !== undefined) parts.push(`of ${[action].flat().join(" or ")}`);
  if (job !== undefined) parts.push(`about ${job}`);
  if (method !== undefined) parts.push(`by ${method.toUpperCase()}`);
  if (path !== undefined) parts.push(`to ${path}`);
  if (account !== undefined) parts.push(`from ${maskKey(account)}`);
  if (status !== undefined) parts.push(`answered with ${status}`);
  if (fault === true) parts.push("that met a fault");
  else if (fault !== undefined) parts.push(fault ? `that met "${fault}"` : "without a fault");
  if (headers !== undefined) parts.push(`with the headers ${JSON.stringify(headers)}`);
  if (body !== undefined) parts.push(`with ${JSON.stringify(body)}`);
  return `${count} ${parts.join(" ")}`;
};

/** Whether a request has one of the wanted names; no choice fits all. */
const isOf = (wanted: string | readonly string[] | undefined, name: string | undefined): boolean =>
  wanted === undefined || [wanted].flat().some((one) => one === name);

/** Describes a request by those of its facts that the filter asks about. */
const describeEntry = (entry: JournalEntry, filter: JournalFilter): string => {
  const { operation, action, jobId, method, path, account, answer, fault, body } = entry;
  const parts = [operation ?? `${method} ${path}`];
  if (action !== undefined) parts.push(`of ${action}`);
  if (filter.job !== undefined && jobId !== undefined) parts.push(`about ${jobId}`);
  if (filter.path !== undefined && operation !== undefined) parts.push(`to ${path}`);
  if (filter.account !== undefined) parts.push(account ? `from ${account}` : "without a key");
  if (filter.status !== undefined) {
    parts.push(answer ? `answered with ${answer.status}` : "not answered");
  }
  if (filter.fault !== undefined && fault !== undefined) parts.push(`that met "${fault.kind}"`);
  if (filter.body !== undefined && isOf(filter.operation, operation)) {
    parts.push(`with ${JSON.stringify(body)?.slice(0, 200)}`);
  }
  return parts.join(" ");
};

const listOf = (descriptions: readonly string[]): string => listSome(descriptions, 8);

/** Describes the requests that were seen: `2 jobs.submit of generate-ad, 1 jobs.list`. */
export const summarize = (entries: readonly JournalEntry[], filter: JournalFilter): string => {
  const likeness = ({ operation, action }: JournalEntry): number =>
    (isOf(filter.operation, operation) ? 2 : 0) + (isOf(filter.action, action) ? 1 : 0);
  const counts = new Map<string, number>();
  // The requests most like those asked for come first, because the mistake is there.
  for (const entry of entries.toSorted((one, other) => likeness(other) - likeness(one))) {
    const description = describeEntry(entry, filter);
    counts.set(description, (counts.get(description) ?? 0) + 1);
  }
  return listOf([...counts].map(([description, count]) => `${count} ${description}`)) || "nothing";
};

const longestValue = 80;

const show = (value: unknown): string => {
  const text = value === undefined ? "missing" : String(JSON.stringify(value));
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
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
    const expected = wanted instanceof RegExp ? String(wanted) : show(wanted);
    return `${name} is ${show(facts[name].of(record))}, not ${expected}`;
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
