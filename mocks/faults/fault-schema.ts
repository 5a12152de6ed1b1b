import * as z from "zod/mini";
import {
  type FieldsOf,
  fieldsOnly,
  json,
  named,
  numberFrom,
  operations,
  optional,
  spanOf,
  trueOrFalse,
  wholeNumber,
} from "../options/fields.ts";
import { planFields } from "../options/plan.ts";
import { type FaultKind, type FaultOptions, faultKinds, type MockFault } from "./fault.ts";
import { framingHeaders, maxTimerMs } from "./limits.ts";

const accepted = optional(trueOrFalse, "Whether the service carries the request out first");
const afterBytes = optional(
  wholeNumber(0, 1_000_000_000),
  "Bytes that come before that; half of the body by default",
);
const status = wholeNumber(200, 599).check(z.describe("HTTP status of the answer"));
const wholeMs = wholeNumber(0, maxTimerMs);

const hasNoFraming = (headers: Readonly<Record<string, string>>): boolean =>
  !Object.keys(headers).some((name) => framingHeaders.includes(name.toLowerCase()));

const isSendable = (headers: Readonly<Record<string, string>>): boolean => {
  try {
    new Headers(headers);
  } catch {
    return false;
  }
  // `Headers` lets control characters through that Node does not send.
  return Object.values(headers).every((value) => !/[^\t\x20-\x7e\x80-\xff]/.test(value));
};

const headersError = "an object of header names and values that HTTP allows";
const headers = z.record(z.string(), z.string({ error: "text" }), { error: headersError }).check(
  z.refine(hasNoFraming, {
    error: `headers other than ${framingHeaders.join(", ")}, which each face sends itself`,
  }),
  z.refine(isSendable, { error: headersError }),
);

/** Schema of one kind, with every field of its type. "refuse" carries no request out. */
type SchemaOf<Kind extends FaultKind> = {
  readonly shape: Kind extends "refuse" ? object : FieldsOf<MockFault & { readonly kind: Kind }>;
};

const schemasOfKinds = {
  reset: fieldsOnly({
    kind: named("reset", "The connection breaks before an answer"),
    accepted,
  }),
  stall: fieldsOnly({
    kind: named("stall", "No answer ever comes"),
    accepted,
  }),
  refuse: fieldsOnly({
    kind: named("refuse", "No server listens"),
  }),
  "stall-body": fieldsOnly({
    kind: named("stall-body", "The answer's body stops for ever"),
    afterBytes,
  }),
  "cut-body": fieldsOnly({
    kind: named("cut-body", "The connection breaks in the answer's body"),
    afterBytes,
  }),
  "drip-body": fieldsOnly({
    kind: named("drip-body", "The answer's body comes piece by piece"),
    bytes: optional(wholeNumber(1, 1_000_000_000), "Bytes in each piece; 1 by default"),
    everyMs: optional(wholeMs, "Milliseconds between two pieces; 100 by default"),
  }),
  "wrong-json": fieldsOnly({
    kind: named("wrong-json", "The answer is JSON that ends in the middle"),
  }),
  html: fieldsOnly({
    kind: named("html", "An HTML page comes in place of the answer"),
    status: optional(status, "HTTP status of the page; 502 by default"),
  }),
  status: fieldsOnly({
    kind: named("status", "An answer with any status"),
    status,
    headers: optional(headers, "Added to the answer's headers, or in their place"),
    body: optional(json, "Text is sent as it is, anything else as JSON"),
    accepted,
  }),
  "rate-limit": fieldsOnly({
    kind: named("rate-limit", "A 429 with Retry-After"),
    retryAfterMs: optional(wholeMs, "Milliseconds until a retry may succeed; 1000 by default"),
  }),
  latency: fieldsOnly({
    kind: named("latency", "The answer comes late"),
    ms: spanOf(
      numberFrom(0, maxTimerMs),
      maxTimerMs,
      `milliseconds, zero or more and at most ${maxTimerMs}`,
    ).check(z.describe("Milliseconds, or the limits between which they are drawn")),
  }),
} satisfies { readonly [Kind in FaultKind]: SchemaOf<Kind> };

const { reset, ...others } = schemasOfKinds;

export const faultSchema = z.discriminatedUnion("kind", [reset, ...Object.values(others)], {
  error: ({ code }) =>
    code === "invalid_union" ? `one of ${faultKinds.join(", ")}` : "an object with a kind",
});

export const faultOptionsSchema = fieldsOnly({
  ...planFields("requests"),
  operation: optional(operations, "Only requests of this operation, or of these"),
} satisfies FieldsOf<FaultOptions>);
