import type { EndpointName } from "../../src/contract/endpoint.ts";
import type { FaultKind } from "../faults/fault.ts";
import { fitsOperation } from "../options/fields.ts";
import { type JournalEntry, type JournalRecord, showEntry } from "./entry.ts";

/** Class of an answer, by its status; "none" is no answer at all. */
export type AnswerClass = "2xx" | "4xx" | "5xx" | "other" | "none";

/** Classes of answers, in the order in which lists show them. */
export const answerClasses: readonly AnswerClass[] = ["2xx", "4xx", "5xx", "other", "none"];

/** Choice of the requests that a list shows; a field left out chooses all. */
export interface JournalSearch {
  /** API key, in full. */
  readonly account?: string;
  /** Call of the API. */
  readonly operation?: EndpointName;
  /** Kind of the fault that was met; `true` for any fault, `false` for none. */
  readonly fault?: FaultKind | boolean;
  /** Text in the path, the request id, the body or the answer, in upper or lower case. */
  readonly text?: string;
  /** Class of the answer. */
  readonly answered?: AnswerClass;
  /** Number of the latest entry to show. */
  readonly until?: number;
  /** Count of the entries to show. */
  readonly limit: number;
}

/** One page of a list of requests. */
export interface JournalPage {
  /** Count of all requests that fit, on this page or not. */
  readonly total: number;
  /** Counts of the requests that fit everything but the class of the answer. */
  readonly counts: Readonly<Record<AnswerClass, number>>;
  /** Requests of this page, newest first. */
  readonly entries: readonly JournalEntry[];
  /** Count of the requests that fit and came after this page. */
  readonly newer: number;
  /** Count of the requests that fit and came before this page. */
  readonly older: number;
  /** `until` of the page with the next newer requests; absent when those are the newest of all. */
  readonly newerUntil: number | undefined;
  /** Number of the oldest request that is remembered, whether it fits or not. */
  readonly oldest: number | undefined;
}

/** Tells the class of an answer. */
export const answerClassOf = (status: number | undefined): AnswerClass => {
  if (status === undefined) return "none";
  const found = answerClasses.find((name) => name === `${Math.floor(status / 100)}xx`);
  return found ?? "other";
};

const fitsFault = (record: JournalRecord, fault: JournalSearch["fault"]): boolean => {
  if (fault === undefined) return true;
  if (typeof fault === "boolean") return (record.fault !== undefined) === fault;
  return record.fault?.kind === fault;
};

/** Makes a test for a text in the record's own texts, which cost no copy in lower case. */
const textFinder = (text: string | undefined): ((record: JournalRecord) => boolean) => {
  if (text === undefined || text === "") return () => true;
  const pattern = new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"), "i");
  return ({ path, requestId, request, response }) =>
    [path, requestId, request, response].some((one) => pattern.test(one));
};

/** Finds one page of the requests that fit. Only the bodies of that page are parsed. */
export const searchJournal = (
  records: readonly JournalRecord[],
  search: JournalSearch,
): JournalPage => {
  const { account, operation, fault, text, answered, until, limit } = search;
  const hasText = textFinder(text);
  const counts = Object.fromEntries(answerClasses.map((name) => [name, 0])) as Record<
    AnswerClass,
    number
  >;
  const fitting = records.filter((record) => {
    const fits =
      (account === undefined || record.key === account) &&
      fitsOperation(record.operation, operation) &&
      fitsFault(record, fault) &&
      hasText(record);
    if (!fits) return false;
    const answerClass = answerClassOf(record.status);
    counts[answerClass] += 1;
    return answered === undefined || answered === answerClass;
  });
  const afterPage = until === undefined ? -1 : fitting.findIndex(({ number }) => number > until);
  const end = afterPage === -1 ? fitting.length : afterPage;
  const start = Math.max(0, end - limit);
  return {
    total: fitting.length,
    counts,
    entries: fitting.slice(start, end).reverse().map(showEntry),
    newer: fitting.length - end,
    older: start,
    newerUntil: fitting[end + limit - 1]?.number,
    oldest: records[0]?.number,
  };
};
