import * as z from "zod/mini";
import type { Action } from "../../src/contract/actions.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import { readJson } from "../domain/depth.ts";
import { type Difference, findDifferences } from "../domain/difference.ts";
import { type FaultKind, faultKinds } from "../faults/fault.ts";
import {
  apiKey,
  bodyFields,
  type FieldsOf,
  fieldsOnly,
  oneOrMoreActions,
  operations,
  optional,
  text,
  wholeNumber,
} from "../options/fields.ts";
import { keysOf } from "../options/require.ts";
import { actionIn, type JournalRecord } from "./entry.ts";
import { type Keys, maskKey, redactHeaders, shortenKey } from "./redact.ts";

/** Choice of entries; every field that is given must fit. */
export interface JournalFilter {
  /** Number of the entry. */
  readonly number?: number;
  /** Call of the API, or one of several. */
  readonly operation?: EndpointName | readonly EndpointName[];
  /** API key, in full. */
  readonly account?: string;
  /** Field `action` of the body, or one of several. */
  readonly action?: Action | readonly Action[];
  /** Id of the job that the request asked for, or that it made. */
  readonly job?: string;
  /** HTTP method, in upper or lower case. */
  readonly method?: string;
  /** Whole path with its query, or a pattern that it contains. */
  readonly path?: string | RegExp;
  /** HTTP status of the answer. */
  readonly status?: number;
  /** Kind of the fault that the request met; `true` for any, `false` for no fault at all. */
  readonly fault?: FaultKind | boolean;
  /**
   * Headers of the request, by names in any case: those named must be equal. Keys, cookies and
   * tokens are "[redacted]".
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields of the body, at any depth: those named must be equal. */
  readonly body?: Readonly<Record<string, unknown>>;
}

const integer = wholeNumber(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, "a whole number");

/** Schema of the choice of entries. JSON has no pattern, so a server has its own field for `path`. */
export const journalFilterSchema = fieldsOnly({
  number: optional(integer, "The entry's number"),
  operation: optional(operations, "The call, or one of several"),
  account: optional(apiKey, "The API key, in full"),
  action: optional(oneOrMoreActions, "The action in the body, or one of several"),
  job: optional(text, "The id of the job that the request asked for, or that it made"),
  method: optional(text, "The HTTP method, in any case"),
  path: optional(
    z.union([z.string(), z.instanceof(RegExp)], { error: "text or a regular expression" }),
    "The whole path with its query, or a pattern that it contains",
  ),
  status: optional(integer, "The status that was answered"),
  fault: optional(
    z.literal([true, false, ...faultKinds], {
      error: `true, false, or one of ${faultKinds.join(", ")}`,
    }),
    "The kind of the fault that was met; true for any, false for none",
  ),
  headers: optional(
    z.record(z.string(), text, { error: "an object of header names and values" }),
    "Headers of the request, by names in any case: those named must be equal",
  ),
  body: optional(bodyFields, "Fields of the body, at any depth: those named must be equal"),
} satisfies FieldsOf<JournalFilter>);

const fitsPath = (path: string, expected: string | RegExp): boolean =>
  typeof expected === "string" ? path === expected : path.search(expected) !== -1;

/** A field of a filter: what a request has there, and how the two are compared. */
interface Fact<Wanted> {
  readonly of: (record: JournalRecord, keys: Keys) => unknown;
  /** @default the two are equal, or the wanted is a list that has the other */
  readonly fits?: (record: JournalRecord, wanted: Wanted) => boolean;
  /** The fields that the other must have, at any depth; takes the place of `fits`. */
  readonly fields?: (wanted: Wanted) => object;
}

/** A choice of entries, whose fields may also be `undefined`. */
export type Choice = { readonly [Name in keyof JournalFilter]: JournalFilter[Name] | undefined };

/** A place where a request is not as a field of a filter wants it. */
export interface Misfit extends Difference {
  readonly name: keyof JournalFilter;
}

const bodyOf = (record: JournalRecord): unknown => readJson(record.request);

const lowerNames = (headers: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** All fields of a filter; those that read the body come last. */
export const facts = {
  number: { of: ({ number }) => number },
  operation: { of: ({ operation }) => operation },
  account: {
    of: ({ key }) => (key === undefined ? "none" : maskKey(key)),
    fits: ({ key }, wanted) => key === shortenKey(wanted),
  },
  job: { of: ({ jobId }) => jobId },
  method: {
    of: ({ method }) => method,
    fits: ({ method }, wanted) => method.toUpperCase() === wanted.toUpperCase(),
  },
  path: { of: ({ path }) => path, fits: ({ path }, wanted) => fitsPath(path, wanted) },
  status: { of: ({ status }) => status },
  fault: {
    of: ({ fault }) => fault?.kind ?? false,
    fits: ({ fault }, wanted) =>
      wanted === true ? fault !== undefined : (fault?.kind ?? false) === wanted,
  },
  headers: {
    of: ({ headers, key }, keys) => redactHeaders(headers, key, keys),
    fields: lowerNames,
  },
  action: { of: (record) => actionIn(bodyOf(record)) },
  body: { of: bodyOf, fields: (body) => body },
} satisfies {
  readonly [Name in keyof JournalFilter]-?: Fact<NonNullable<JournalFilter[Name]>>;
};

const misfitsAt = (
  name: keyof JournalFilter,
  record: JournalRecord,
  filter: Choice,
  keys: Keys,
): readonly Misfit[] => {
  const expected = filter[name];
  if (expected === undefined) return [];
  const { of, fits, fields }: Fact<never> = facts[name];
  if (fits?.(record, expected as never)) return [];
  const actual = of(record, keys);
  if (fields !== undefined) {
    const differences = findDifferences(actual, fields(expected as never));
    return differences.map((difference) => ({ name, ...difference }));
  }
  const isFit = fits === undefined && [expected].flat().includes(actual as never);
  return isFit ? [] : [{ name, path: [], actual, expected }];
};

/**
 * Finds where a request does not fit a filter, in the order of the table.
 *
 * @param keys - Keys that no header may show
 */
export const findMisfits = (record: JournalRecord, filter: Choice, keys: Keys): readonly Misfit[] =>
  keysOf(facts).flatMap((name) => misfitsAt(name, record, filter, keys));

/** Tells whether a request fits every field of a filter. */
export const fits = (record: JournalRecord, filter: JournalFilter, keys: Keys): boolean =>
  keysOf(facts).every((name) => misfitsAt(name, record, filter, keys).length === 0);
