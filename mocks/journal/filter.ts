import * as z from "zod/mini";
import type { Action } from "../../src/contract/actions.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import { type FaultKind, faultKinds } from "../faults/fault.ts";
import {
  action,
  apiKey,
  type FieldsOf,
  fieldsOnly,
  operations,
  optional,
  text,
  wholeNumber,
} from "../options/fields.ts";
import type { JournalEntry, JournalRecord } from "./entry.ts";

/** Which entries are meant; every field that is given must fit. */
export interface JournalFilter {
  /** The entry's number. */
  readonly number?: number;
  /** The call, or one of several. */
  readonly operation?: EndpointName | readonly EndpointName[];
  /** The API key, in full. */
  readonly account?: string;
  /** The `action` in the body. */
  readonly action?: Action;
  /** The HTTP method, in any case. */
  readonly method?: string;
  /** The whole path with its query, or a pattern that it contains. */
  readonly path?: string | RegExp;
  /** The status that was answered. */
  readonly status?: number;
  /** The kind of the fault that was played; `false` for none at all. */
  readonly fault?: FaultKind | false;
  /** Fields of the body, at any depth: those named must be equal. */
  readonly body?: Readonly<Record<string, unknown>>;
}

const integer = wholeNumber(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, "a whole number");

/** Schema of the choice of entries. JSON has no pattern, so that a server replaces `path`. */
export const journalFilterSchema = fieldsOnly({
  number: optional(integer, "The entry's number"),
  operation: optional(operations, "The call, or one of several"),
  account: optional(apiKey, "The API key, in full"),
  action: optional(action, "The action in the body"),
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

/** Whether everything that `expected` names is in `actual`; arrays have to be as long. */
const includes = (actual: unknown, expected: unknown): boolean => {
  if (!isObject(expected)) return Object.is(actual, expected);
  if (!isObject(actual) || Array.isArray(actual) !== Array.isArray(expected)) return false;
  if (Array.isArray(expected) && actual["length"] !== expected.length) return false;
  return Object.entries(expected).every(([name, value]) => includes(actual[name], value));
};

const fitsPath = (path: string, expected: string | RegExp): boolean =>
  typeof expected === "string" ? path === expected : path.search(expected) !== -1;

/** What can be told without reading the bodies. */
export const fitsOutside = (record: JournalRecord, filter: JournalFilter): boolean => {
  const { number, operation, account, method, path, status, fault } = filter;
  const operations = operation === undefined ? undefined : [operation].flat();
  return (
    (number === undefined || record.number === number) &&
    (operations === undefined ||
      (record.operation !== undefined && operations.includes(record.operation))) &&
    (account === undefined || record.key === account) &&
    (method === undefined || record.method === method.toUpperCase()) &&
    (path === undefined || fitsPath(record.path, path)) &&
    (status === undefined || record.status === status) &&
    (fault === undefined || (record.fault?.kind ?? false) === fault)
  );
};

/** What the body decides. */
export const fitsBody = (entry: JournalEntry, { action, body }: JournalFilter): boolean =>
  (action === undefined || entry.action === action) &&
  (body === undefined || includes(entry.body, body));
