import * as z from "zod/mini";
import type { Action } from "../../src/contract/actions.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import { type FaultKind, faultKinds } from "../faults/fault.ts";
import {
  action,
  apiKey,
  type FieldsOf,
  fieldsOnly,
  fitsOperation,
  operations,
  optional,
  text,
  wholeNumber,
} from "../options/fields.ts";
import type { JournalEntry, JournalRecord } from "./entry.ts";
import { shortenKey } from "./mask-key.ts";

/** Choice of entries; every field that is given must fit. */
export interface JournalFilter {
  /** Number of the entry. */
  readonly number?: number;
  /** Call of the API, or one of several. */
  readonly operation?: EndpointName | readonly EndpointName[];
  /** API key, in full. */
  readonly account?: string;
  /** Field `action` of the body. */
  readonly action?: Action;
  /** Id of the job that the request asked for, or that it made. */
  readonly job?: string;
  /** HTTP method, in upper or lower case. */
  readonly method?: string;
  /** Whole path with its query, or a pattern that it contains. */
  readonly path?: string | RegExp;
  /** HTTP status of the answer. */
  readonly status?: number;
  /** Kind of the fault that the request met; `false` for no fault at all. */
  readonly fault?: FaultKind | false;
  /** Fields of the body, at any depth: those named must be equal. */
  readonly body?: Readonly<Record<string, unknown>>;
}

const integer = wholeNumber(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, "a whole number");

/** Schema of the choice of entries. JSON has no pattern, so a server has its own field for `path`. */
export const journalFilterSchema = fieldsOnly({
  number: optional(integer, "The entry's number"),
  operation: optional(operations, "The call, or one of several"),
  account: optional(apiKey, "The API key, in full"),
  action: optional(action, "The action in the body"),
  job: optional(text, "The id of the job that the request asked for, or that it made"),
  method: optional(text, "The HTTP method, in any case"),
  path: optional(
    z.union([z.string(), z.instanceof(RegExp)], { error: "text or a regular expression" }),
    "The whole path with its query, or a pattern that it contains",
  ),
  status: optional(integer, "The status that was answered"),
  fault: optional(
    z.literal([false, ...faultKinds], { error: `false, or one of ${faultKinds.join(", ")}` }),
    "The kind of the fault that was played; false for none at all",
  ),
  body: optional(
    z.record(z.string(), z.unknown(), { error: "an object of fields" }),
    "Fields of the body, at any depth: those named must be equal",
  ),
} satisfies FieldsOf<JournalFilter>);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Tells whether `actual` has everything that `expected` names; lists must be of equal length. */
const includes = (actual: unknown, expected: unknown): boolean => {
  if (!isObject(expected)) return Object.is(actual, expected);
  if (!isObject(actual) || Array.isArray(actual) !== Array.isArray(expected)) return false;
  if (Array.isArray(expected) && actual["length"] !== expected.length) return false;
  return Object.entries(expected).every(([name, value]) => includes(actual[name], value));
};

const fitsPath = (path: string, expected: string | RegExp): boolean =>
  typeof expected === "string" ? path === expected : path.search(expected) !== -1;

/** Tells whether a request may fit the fields of a filter that need no reading of its body. */
export const fitsOutside = (record: JournalRecord, filter: JournalFilter): boolean => {
  const { number, operation, account, job, method, path, status, fault } = filter;
  return (
    (number === undefined || record.number === number) &&
    fitsOperation(record.operation, operation) &&
    (account === undefined || record.key === shortenKey(account)) &&
    (job === undefined || record.jobId === job) &&
    (method === undefined || record.method.toUpperCase() === method.toUpperCase()) &&
    (path === undefined || fitsPath(record.path, path)) &&
    (status === undefined || record.status === status) &&
    (fault === undefined || (record.fault?.kind ?? false) === fault)
  );
};

/** Tells whether the body of a request fits a filter. */
export const fitsBody = (entry: JournalEntry, { action, body }: JournalFilter): boolean =>
  (action === undefined || entry.action === action) &&
  (body === undefined || includes(entry.body, body));
