import * as z from "zod/mini";
import { faultOptionsSchema, faultSchema } from "../faults/fault-schema.ts";
import type { JournalRecord } from "../journal/entry.ts";
import type { ForgottenRequests } from "../journal/store.ts";
import {
  action,
  count,
  type FieldsOf,
  finiteTimes,
  oneOf,
  operation,
  text,
  trueOrFalse,
  wholeNumber,
} from "../options/fields.ts";
import { outcomeOptionsSchema, outcomeSchema } from "../outcomes/outcome.ts";
import { accountSchema, time } from "./account-schema.ts";

// JSON has no `Infinity`: `null` stands for it.
const times = z.nullable(finiteTimes);

const outcome = z.extend(z.omit(outcomeOptionsSchema, { times: true }), {
  number: z.exactOptional(count),
  end: outcomeSchema,
  taken: z.exactOptional(count),
  remaining: times,
});

const faults = z
  .object({
    issued: count,
    planned: z.array(
      z.object({
        number: count,
        fault: faultSchema,
        options: z.extend(faultOptionsSchema, { times }),
        seen: count,
        played: count,
      }),
      { error: "a list" },
    ),
  })
  .check(
    z.refine((all) => all.planned.every(({ number }) => number <= all.issued), {
      path: ["issued"],
      error: "at least the number of every planned fault",
    }),
  );

const answeredStatus = wholeNumber(0, 999);

const record = z.object({
  number: count,
  at: time,
  operation: z.optional(operation),
  method: text,
  path: text,
  key: z.optional(text),
  request: text,
  status: z.optional(answeredStatus),
  response: text,
  requestId: text,
  accepted: trueOrFalse,
  fault: z.optional(faultSchema),
  jobId: z.optional(text),
  action: z.optional(action),
  cut: z.exactOptional(z.array(oneOf(["path", "request", "response"]))),
} satisfies FieldsOf<Omit<JournalRecord, "tookMs" | "response"> & { readonly response: string }>);

const forgotten = z.object({
  facts: z.optional(z.object({ key: z.optional(text) })),
  latest: count,
  count,
} satisfies FieldsOf<ForgottenRequests>);

/** Schema of everything that a snapshot holds. It proves no sums: see `readSnapshot`. */
export const snapshotSchema = z.object(
  {
    version: z.literal(1, { error: "1" }).check(z.describe("Version of the format")),
    at: time.check(z.describe("The service's time, in milliseconds since 1970")),
    seed: text,
    requests: count,
    // Absent in a snapshot of 0.2.0, whose ids began anew after each reset.
    closed: z.exactOptional(z.record(z.string(), count)),
    accounts: z.array(accountSchema, { error: "a list" }).check(
      z.refine((accounts) => new Set(accounts.map(({ key }) => key)).size === accounts.length, {
        error: "a list without two accounts of the same key",
      }),
    ),
    outcomes: z.array(outcome, { error: "a list" }),
    outcomesIssued: z.exactOptional(count),
    faults,
    journal: z.array(record, { error: "a list" }),
    forgotten: z.exactOptional(z.array(forgotten, { error: "a list" })),
  },
  { error: "an object with the version 1" },
);
