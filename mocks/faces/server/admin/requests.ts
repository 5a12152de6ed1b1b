/** Schemas that the requests of the admin are made of, beside those of the service's options. */
import * as z from "zod/mini";
import { faultKinds } from "../../../faults/fault.ts";
import { faultOptionsSchema, faultSchema } from "../../../faults/fault-schema.ts";
import { journalFilterSchema } from "../../../journal/filter.ts";
import {
  fieldsOnly,
  jsonTimes,
  milliseconds,
  operation,
  optional,
  orEndless,
  text,
  wholeNumber,
} from "../../../options/fields.ts";
import { isRecord } from "../../../options/require.ts";
import { accountOptionsSchema, potsSchema } from "../../../options/resolve-options.ts";
import { outcomeChecks, outcomeFields, outcomeOptionsSchema } from "../../../outcomes/outcome.ts";

/** Body of a route that needs none. */
export const noFields = fieldsOnly({}, "left out, or an empty object");

/** Makes the schema of a whole number in a query or a path, where every value is text. */
export const wholeText = (most: number) => {
  const read = (value: unknown) => (/^\d+$/.test(String(value)) ? Number(value) : value);
  return z.pipe(z.transform(read), wholeNumber(0, most));
};

const timeError = "milliseconds since 1970, or a time such as 2026-01-31T12:00:00Z";

const isoTime = z.pipe(
  z.string().check(z.refine((value) => Number.isFinite(Date.parse(value)), { error: timeError })),
  z.transform((value) => Date.parse(value)),
);

/** Body that moves a clock. */
export const clockMove = fieldsOnly({
  advanceMs: optional(milliseconds, "Milliseconds to move forward"),
  time: optional(
    z.union([z.number(), isoTime], { error: timeError }),
    "Time to move to: milliseconds since 1970, or in ISO 8601",
  ),
}).check(
  z.refine(({ advanceMs, time }) => (advanceMs === undefined) !== (time === undefined), {
    error: "an object of either advanceMs or time",
  }),
);

/** Body that opens an account. */
export const newAccount = fieldsOnly({
  key: z.string({ error: "an API key" }).check(z.minLength(1, { error: "an API key" })),
  ...accountOptionsSchema.shape,
});

/** Body that grants or sets credits. */
export const creditChange = fieldsOnly({
  credit: z.enum(["image", "video"], { error: '"image" or "video"' }),
  ...potsSchema.shape,
}).check(
  z.refine(({ monthly, purchased }) => monthly !== undefined || purchased !== undefined, {
    error: "an object of credit, and of monthly, purchased or both",
  }),
);

/** Body that decides how the next jobs end. */
export const plannedOutcome = fieldsOnly({
  ...outcomeFields,
  takesMs: optional(
    orEndless(milliseconds, "milliseconds, zero or more, or null for no end"),
    "Milliseconds that the job takes; null: it expires",
  ),
  ...outcomeOptionsSchema.shape,
  times: optional(jsonTimes, "How many submissions it is for; 1 by default, null for all"),
}).check(...outcomeChecks);

/** Body that plays a fault. */
export const newFault = fieldsOnly({
  fault: faultSchema,
  ...faultOptionsSchema.shape,
  times: optional(jsonTimes, "How many requests meet it; 1 by default, null for all"),
});

const isPattern = (source: string): boolean => {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
};

/** JSON has no patterns: `pathPattern` holds the source of one. */
const filterFields = {
  ...z.omit(journalFilterSchema, { number: true }).shape,
  path: optional(text, "The whole path with its query"),
  pathPattern: optional(
    text.check(z.refine(isPattern, { error: "a regular expression" })),
    "A regular expression that the path contains",
  ),
};

/** Choice of journal entries in a JSON body. */
export const journalFilter = fieldsOnly(filterFields);

const withoutFault = z.pipe(
  z.literal("false"),
  z.transform(() => false as const),
);

/** Choice of journal entries in a query, where every value is text. */
export const journalQuery = fieldsOnly({
  ...z.omit(journalFilter, { body: true }).shape,
  operation: optional(operation, "The call"),
  status: optional(wholeText(599), "The status that was answered"),
  fault: optional(
    z.union([withoutFault, z.enum(faultKinds)], {
      error: `false, or one of ${faultKinds.join(", ")}`,
    }),
    "The kind of the fault that was played; false for none at all",
  ),
  limit: optional(wholeText(10_000), "Number of the entries, the latest; 100 by default"),
});

/** A snapshot in the envelope that it came in, or without. */
const openEnvelope = (body: unknown) =>
  isRecord(body) && isRecord(body["data"]) ? body["data"] : body;

/** Body that restores a snapshot. The service checks the rest of it. */
export const snapshotBody = z.pipe(
  z.transform(openEnvelope),
  z.looseObject(
    {
      version: z.literal(1, { error: "1, the version of a snapshot" }),
      at: z.number({ error: "milliseconds since 1970, in a snapshot" }),
    },
    { error: "a snapshot: a JSON object" },
  ),
);
