/** Sentences of a failed assertion: the requests that were expected, and those that were seen. */
import { fitsOperation } from "../options/fields.ts";
import type { JournalEntry } from "./entry.ts";
import type { JournalFilter } from "./filter.ts";
import { maskKey } from "./mask-key.ts";

/** Describes the requests that a filter asks for: `1 jobs.submit of edit-ad answered with 402`. */
export const describeFilter = (filter: JournalFilter, count: number): string => {
  const { number, operation, account, action, method, path, status, fault, body } = filter;
  const requests = count === 1 ? "request" : "requests";
  const parts = [operation === undefined ? requests : [operation].flat().join(" or ")];
  if (number !== undefined) parts.push(`number ${number}`);
  if (action !== undefined) parts.push(`of ${action}`);
  if (method !== undefined) parts.push(`by ${method.toUpperCase()}`);
  if (path !== undefined) parts.push(`to ${path}`);
  if (account !== undefined) parts.push(`from ${maskKey(account)}`);
  if (status !== undefined) parts.push(`answered with ${status}`);
  if (fault !== undefined) parts.push(fault === false ? "without a fault" : `that met "${fault}"`);
  if (body !== undefined) parts.push(`with ${JSON.stringify(body)}`);
  return `${count} ${parts.join(" ")}`;
};

/** Describes a request by those of its facts that the filter asks about. */
const describeEntry = (entry: JournalEntry, filter: JournalFilter): string => {
  const { operation, action, method, path, account, answer, fault, body } = entry;
  const parts = [operation ?? `${method} ${path}`];
  if (action !== undefined) parts.push(`of ${action}`);
  if (filter.path !== undefined && operation !== undefined) parts.push(`to ${path}`);
  if (filter.account !== undefined) parts.push(account ? `from ${account}` : "without a key");
  if (filter.status !== undefined) {
    parts.push(answer ? `answered with ${answer.status}` : "not answered");
  }
  if (filter.fault !== undefined && fault !== undefined) parts.push(`that met "${fault.kind}"`);
  if (filter.body !== undefined && fitsOperation(operation, filter.operation)) {
    parts.push(`with ${JSON.stringify(body)?.slice(0, 200)}`);
  }
  return parts.join(" ");
};

/** Count of the descriptions in a message, because a longer one says no more. */
const maxDescriptions = 8;

/** Describes the requests that were seen: `2 jobs.submit of generate-ad, 1 jobs.list`. */
export const summarize = (entries: readonly JournalEntry[], filter: JournalFilter): string => {
  const likeness = ({ operation, action }: JournalEntry): number =>
    (fitsOperation(operation, filter.operation) ? 2 : 0) +
    (action !== undefined && action === filter.action ? 1 : 0);
  const counts = new Map<string, number>();
  // The requests most like those asked for come first, because the mistake is there.
  for (const entry of entries.toSorted((one, other) => likeness(other) - likeness(one))) {
    const description = describeEntry(entry, filter);
    counts.set(description, (counts.get(description) ?? 0) + 1);
  }
  const parts = [...counts].map(([description, count]) => `${count} ${description}`);
  const left = parts.splice(maxDescriptions).length;
  if (left > 0) parts.push(`and ${left} more`);
  return parts.join(", ") || "nothing";
};
