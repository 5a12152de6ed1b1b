import { type FieldsOf, fieldsOnly, limit, oneOf, optional, text } from "../options/fields.ts";
import { type JournalEntry, type JournalRecord, showEntry } from "./entry.ts";
import { fits, type JournalFilter, journalFilterSchema } from "./filter.ts";
import type { Keys } from "./redact.ts";

/** Class of an answer, by its status; "none" is no answer at all. @inline */
export type AnswerClass = "2xx" | "4xx" | "5xx" | "other" | "none";

/** Classes of answers, in the order in which lists show them. */
export const answerClasses: readonly AnswerClass[] = ["2xx", "4xx", "5xx", "other", "none"];

/** Choice of the requests that a list shows; a field left out chooses all. @inline */
export type JournalSearch = Pick<JournalFilter, "account" | "operation" | "fault"> & {
  /** Text in the path, the request id, the body or the answer, in upper or lower case. */
  readonly text?: string;
  /** Class of the answer. */
  readonly answered?: AnswerClass;
  /** Number of the latest entry to show. */
  readonly until?: number;
  /** Count of the entries to show. */
  readonly limit: number;
};

/** One page of a list of requests. @inline */
export type JournalPage = {
  /** Count of all requests that fit, on this page or not. */
  readonly total: number;
  /** Counts of the requests that fit everything but the class of the answer. */
  readonly counts: Readonly<Record<AnswerClass, number>>;
  /** Requests of this page, newest first. */
  readonly entries: readonly JournalEntry[];
  /** Count of the requests that fit and came before this page. */
  readonly older: number;
};

const { account, operation, fault } = journalFilterSchema.shape;

/** Schema of the choice of requests for a list. */
export const journalSearchSchema = fieldsOnly({
  account,
  operation,
  fault,
  text: optional(text, "A text in the path, the request id, the body or the answer, in any case"),
  answered: optional(oneOf(answerClasses), "The class of the answer"),
  until: optional(limit, "The number of the latest entry"),
  limit,
} satisfies FieldsOf<JournalSearch>);

/** Class of an answer. */
export const answerClassOf = (status: number | undefined): AnswerClass => {
  if (status === undefined) return "none";
  const found = answerClasses.find((name) => name === `${Math.floor(status / 100)}xx`);
  return found ?? "other";
};

/** Creates a test for a text in the record's own texts, which cost no copy in lower case. */
const textFinder = (text: string | undefined): ((record: JournalRecord) => boolean) => {
  if (text === undefined || text === "") return () => true;
  const pattern = new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"), "i");
  return ({ path, requestId, request, response }) =>
    [path, requestId, request, response].some((one) => pattern.test(one));
};

/** Finds one page of the requests that fit. Only the bodies of that page are parsed. */
export const searchJournal = (
  records: readonly JournalRecord[],
  { text, answered, until = Number.POSITIVE_INFINITY, limit, ...filter }: JournalSearch,
  keys: Keys,
): JournalPage => {
  const hasText = textFinder(text);
  const counts = { "2xx": 0, "4xx": 0, "5xx": 0, other: 0, none: 0 };
  const fitting = records.filter((record) => {
    if (!fits(record, filter, keys) || !hasText(record)) return false;
    const answerClass = answerClassOf(record.status);
    counts[answerClass] += 1;
    return answered === undefined || answered === answerClass;
  });
  const upTo = fitting.filter(({ number }) => number <= until);
  const older = Math.max(0, upTo.length - limit);
  const page = upTo.slice(older).reverse();
  return {
    total: fitting.length,
    counts,
    entries: page.map((record) => showEntry(record, keys)),
    older,
  };
};
