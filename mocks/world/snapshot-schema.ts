import * as z from "zod/mini";
import { maxVariations } from "../../src/contract/jobs.ts";
import { endOfTimeMs } from "../domain/clock.ts";
import type { CreditPots, LedgerEntry } from "../domain/credits.ts";
import { isDeeperThan, maxDepth } from "../domain/depth.ts";
import type { JobEnd, JobRecord } from "../domain/job-timeline.ts";
import type { AccountState, StartingCredits } from "../domain/state.ts";
import type { FaultOptions } from "../faults/fault.ts";
import { faultOptionsSchema, faultSchema } from "../faults/fault-schema.ts";
import type { FaultRecord, FaultState } from "../faults/planned-faults.ts";
import type { JournalRecord } from "../journal/entry.ts";
import {
  action,
  count,
  type FieldsOf,
  finiteTimes,
  milliseconds,
  numberFrom,
  operation,
  text,
  trueOrFalse,
  wholeNumber,
} from "../options/fields.ts";
import { isKey } from "../options/resolve-options.ts";
import { outcomeOptionsSchema, outcomeSchema } from "../outcomes/outcome.ts";

// JSON has no `Infinity`: `null` stands for it.
const times = z.nullable(finiteTimes);

const time = numberFrom(
  0 - endOfTimeMs,
  endOfTimeMs,
  "milliseconds since 1970 of a time that a date can hold",
);
const credits = z.int({ error: "whole credits" });

const pots = z.object({ monthly: count, purchased: count } satisfies FieldsOf<CreditPots>);
const creditsOfKinds = z.object({
  image: pots,
  video: pots,
} satisfies FieldsOf<StartingCredits>);

const entry = z.object({
  at: time,
  credit: z.enum(["image", "video"], { error: "image or video" }),
  monthly: credits,
  purchased: credits,
  reason: z.enum(["grant", "charge", "refund", "renewal", "adjustment"], {
    error: "one of grant, charge, refund, renewal, adjustment",
  }),
  jobId: z.exactOptional(text),
} satisfies FieldsOf<LedgerEntry>);

// Deeper JSON could not be answered: writing it recurses.
const shallow = z.refine((value: unknown) => !isDeeperThan(maxDepth, value), {
  error: `JSON, at most ${maxDepth} levels deep`,
});
const result = z.exactOptional(z.unknown().check(shallow));

const forcedEnd = z.discriminatedUnion(
  "status",
  [
    z.object({ status: z.literal("completed"), result }),
    z.object({ status: z.literal("failed"), error: text }),
    z.object({ status: z.literal("expired") }),
  ],
  { error: "one of completed, failed, expired" },
);

const job = z.object({
  id: text,
  action,
  prompt: text,
  variations: wholeNumber(1, maxVariations),
  duration: z.optional(milliseconds),
  submittedAt: time,
  brand: z.exactOptional(z.object({ name: text, colors: z.array(text) })),
  planned: z.exactOptional(
    z.object({
      fail: z.exactOptional(text),
      result,
      takesMs: z.exactOptional(milliseconds),
    } satisfies FieldsOf<JobEnd>),
  ),
  refunded: z.exactOptional(z.literal(true)),
  looks: count,
  seenAt: time,
  forced: z.exactOptional(forcedEnd),
} satisfies FieldsOf<Omit<JobRecord, "charge">>);

// The API keeps whatever a brand or an ad holds.
const thing = z.looseObject({ id: text }).check(shallow);

/** Makes the schema of a list of things, each with an id of its own. */
const listOf = <Thing extends z.ZodMiniType<{ readonly id: string }>>(one: Thing) =>
  z.array(one, { error: "a list" }).check(
    z.refine((things) => new Set(things.map(({ id }) => id)).size === things.length, {
      error: "a list without two things of the same id",
    }),
  );

const issued = wholeNumber(0, 2 ** 32 - 1);

const account = z
  .object({
    key: z.string({ error: "an API key" }).check(z.refine(isKey, { error: "an API key" })),
    starting: creditsOfKinds,
    openedAt: time,
    // `null` where the month after is beyond all dates.
    renewsAt: z.nullable(time),
    seed: text,
    offsetMs: milliseconds,
    issued: z.object({ job: issued, brand: issued, ad: issued } satisfies FieldsOf<
      AccountState["issued"]
    >),
    balances: creditsOfKinds,
    ledger: z.array(entry, { error: "a list" }),
    jobs: listOf(job),
    brands: listOf(thing),
    ads: listOf(thing),
  })
  .check(
    // Otherwise the next id would be one that is there already.
    z.refine((one) => one.issued.job >= one.jobs.length, {
      path: ["issued", "job"],
      error: "at least the number of jobs",
    }),
    z.refine((one) => one.issued.brand >= one.brands.length, {
      path: ["issued", "brand"],
      error: "at least the number of brands",
    }),
    z.refine((one) => one.issued.ad >= one.ads.length, {
      path: ["issued", "ad"],
      error: "at least the number of ads",
    }),
  );

const outcome = z.extend(z.omit(outcomeOptionsSchema, { times: true }), {
  end: outcomeSchema,
  remaining: times,
});

/** A planned fault as JSON: `null` stands for `Infinity`. */
type PlainFault = Omit<FaultRecord, "options"> & {
  readonly options: Omit<FaultOptions, "times"> & { readonly times: number | null };
};

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
      } satisfies FieldsOf<PlainFault>),
      { error: "a list" },
    ),
  } satisfies FieldsOf<Omit<FaultState, "planned"> & { planned: PlainFault[] }>)
  .check(
    z.refine((all) => all.planned.every(({ number }) => number <= all.issued), {
      path: ["issued"],
      error: "at least the number of every planned fault",
    }),
  );

const record = z.object({
  number: count,
  at: time,
  operation: z.optional(operation),
  method: text,
  path: text,
  key: z.optional(text),
  request: text,
  status: z.optional(wholeNumber(0, 999)),
  response: text,
  requestId: text,
  accepted: trueOrFalse,
  fault: z.optional(faultSchema),
} satisfies FieldsOf<JournalRecord>);

/** Schema of everything that a snapshot holds. It proves no sums: see `readSnapshot`. */
export const snapshotSchema = z.object(
  {
    version: z.literal(1, { error: "1" }).check(z.describe("Version of the format")),
    at: time.check(z.describe("The service's time, in milliseconds since 1970")),
    seed: text,
    requests: count,
    accounts: z.array(account, { error: "a list" }).check(
      z.refine((accounts) => new Set(accounts.map(({ key }) => key)).size === accounts.length, {
        error: "a list without two accounts of the same key",
      }),
    ),
    outcomes: z.array(outcome, { error: "a list" }),
    faults,
    journal: z.array(record, { error: "a list" }),
  },
  { error: "an object with the version 1" },
);
