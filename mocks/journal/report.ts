import type { EndpointName } from "../../src/contract/endpoint.ts";
import type { JournalEntry } from "./entry.ts";
import type { JournalFilter } from "./filter.ts";
import { maskKey } from "./mask-key.ts";

const words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

const count = (number: number): string => words[number] ?? String(number);

/** What a filter asks for, in words: `one jobs.submit of edit-ad answered with 402`. */
export const describeFilter = (filter: JournalFilter, number: number): string => {
  const { number: nth, operation, account, action, method, path, status, fault, body } = filter;
  const requests = number > 1 ? "requests" : "request";
  const parts = [operation === undefined ? requests : [operation].flat().join(" or ")];
  if (nth !== undefined) parts.push(`number ${nth}`);
  if (action !== undefined) parts.push(`of ${action}`);
  if (method !== undefined) parts.push(`by ${method.toUpperCase()}`);
  if (path !== undefined) parts.push(`to ${path}`);
  if (account !== undefined) parts.push(`from ${maskKey(account)}`);
  if (status !== undefined) parts.push(`answered with ${status}`);
  if (fault !== undefined) parts.push(fault === false ? "without a fault" : `that met "${fault}"`);
  if (body !== undefined) parts.push(`with ${JSON.stringify(body)}`);
  return `${count(number)} ${parts.join(" ")}`;
};

/** Long lists say no more than their beginning does. */
const maxKinds = 8;

const isAsked = (name: EndpointName | undefined, { operation }: JournalFilter): boolean =>
  operation === undefined || (name !== undefined && [operation].flat().includes(name));

/** What there was, told apart by what the filter asks about: `two jobs.submit of generate-ad`. */
export const summarize = (entries: readonly JournalEntry[], filter: JournalFilter): string => {
  const kinds = new Map<string, number>();
  const likeness = ({ operation, action }: JournalEntry): number =>
    (isAsked(operation, filter) ? 2 : 0) +
    (action !== undefined && action === filter.action ? 1 : 0);
  // What comes nearest to what is asked for comes first: that is where the mistake is.
  for (const entry of entries.toSorted((one, other) => likeness(other) - likeness(one))) {
    const parts = [entry.operation ?? `${entry.method} ${entry.path}`];
    if (entry.action !== undefined) parts.push(`of ${entry.action}`);
    if (filter.account !== undefined) parts.push(`from ${entry.account ?? "nobody"}`);
    if (filter.path !== undefined && entry.operation) parts.push(`to ${entry.path}`);
    if (filter.status !== undefined) {
      parts.push(entry.answer ? `answered with ${entry.answer.status}` : "not answered");
    }
    if (filter.fault !== undefined && entry.fault) parts.push(`that met "${entry.fault.kind}"`);
    if (filter.body !== undefined && isAsked(entry.operation, filter))
      parts.push(`with ${JSON.stringify(entry.body)?.slice(0, 200)}`);
    const kind = parts.join(" ");
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const told = [...kinds].map(([kind, number]) => `${count(number)} ${kind}`);
  const more = told.length - maxKinds;
  if (more > 0) told.splice(maxKinds, more, `${count(more)} other kinds`);
  return told.join(", ") || "nothing";
};
