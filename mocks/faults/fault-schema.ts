import * as z from "zod/mini";
import type { FaultOptions } from "../domain/schedule.ts";
import {
  booleanField,
  type FieldsOf,
  fieldsOnly,
  jsonField,
  numberFrom,
  operationsField,
  spanOf,
  wholeNumber,
} from "../options/fields.ts";
import { scheduleFields } from "../options/scheduler.ts";
import { type FaultKind, faultKinds, framingHeaders, maxDelayMs } from "./fault.ts";

const accepted = z.optional(booleanField);
const afterBytes = z.optional(wholeNumber(0, 1_000_000_000));
const status = wholeNumber(200, 599);
const wholeMs = wholeNumber(0, maxDelayMs);

const isSendable = (headers: Readonly<Record<string, string>>): boolean => {
  try {
    const names = [...new Headers(headers).keys()];
    // `Headers` accepts control characters that Node refuses to send.
    const areValues = Object.values(headers).every(
      (value) => !/[^\t\x20-\x7e\x80-\xff]/.test(value),
    );
    return areValues && !names.some((name) => framingHeaders.includes(name));
  } catch {
    return false;
  }
};

const headersError = `headers that HTTP allows, other than ${framingHeaders.join(", ")}`;
const headers = z
  .record(z.string(), z.string({ error: "text" }), { error: headersError })
  .check(z.refine(isSendable, { error: headersError }));

/** The fields of each kind, except `kind`. */
const fieldsOfKinds: Readonly<Record<FaultKind, z.core.$ZodLooseShape>> = {
  reset: { accepted },
  stall: { accepted },
  refuse: {},
  "stall-body": { afterBytes },
  "cut-body": { afterBytes },
  "drip-body": { bytes: z.optional(wholeNumber(1, 1_000_000_000)), everyMs: z.optional(wholeMs) },
  "wrong-json": {},
  html: { status: z.optional(status) },
  status: { status, headers: z.optional(headers), body: z.optional(jsonField), accepted },
  "rate-limit": { retryAfterMs: z.optional(wholeMs) },
  latency: { ms: spanOf(numberFrom(0, maxDelayMs), maxDelayMs) },
};

const [first, ...others] = faultKinds.map((kind) =>
  fieldsOnly({ kind: z.literal(kind), ...fieldsOfKinds[kind] }),
);

/** Schema of a fault: the fields of its kind, and no others. */
export const faultSchema = z.discriminatedUnion(
  "kind",
  [first as NonNullable<typeof first>, ...others],
  {
    error: ({ code }) =>
      code === "invalid_union" ? `one of ${faultKinds.join(", ")}` : "an object with a kind",
  },
);

export const faultOptionsSchema = fieldsOnly({
  ...scheduleFields,
  operation: z.optional(operationsField),
} satisfies FieldsOf<FaultOptions>);
