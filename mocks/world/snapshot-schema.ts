import * as z from "zod/mini";
import { jobStatuses, maxVariations } from "../../src/contract/jobs.ts";
import { endOfTimeMs } from "../domain/clock.ts";
import type { CreditPots, LedgerEntry } from "../domain/credits.ts";
import { isDeeperThan, maxDepth } from "../domain/depth.ts";
import type { JobEnd, JobRecord } from "../domain/job-timeline.ts";
import type { AccountState, StartingCredits } from "../domain/state.ts";
import { faultOptionsSchema, faultSchema } from "../faults/fault-schema.ts";
import type { JournalRecord } from "../journal/entry.ts";
import type { ForgottenRequests } from "../journal/store.ts";
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

/** Time that can be written as a date. */
const time = numberFrom(
  0 - endOfTimeMs,
  endOfTimeMs,
  "milliseconds since 1970 of a time that a date can hold",
);
const list = <Thing extends z.ZodMiniType>(one: Thing) => z.array(one, { error: "a list" });

const anObject = "an object";
const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.object(shape, { error: anObject });

const credits = z.int({ error: "whole credits" });

const pots = object({ monthly: count, purchased: count } satisfies FieldsOf<CreditPots>);
const creditsOfKinds = object({
  image: pots,
  video: pots,
} satisfies FieldsOf<StartingCredits>);

const entry = object({
  at: time,
  credit: z.enum(["image", "video"], { error: "image or video" }),
  monthly: credits,
  purchased: credits,
  reason: z.enum(["grant", "charge", "refund", "renewal", "adjustment"], {
    error: "one of grant, charge, refund, renewal, adjustment",
  }),
  jobId: z.exactOptional(text),
} satisfies FieldsOf<LedgerEntry>).check(
  // A refund of another charge would make a balance negative.
  z.refine(
    ({ reason, monthly, purchased }) => reason !== "charge" || (monthly <= 0 && purchased <= 0),
    { error: "a charge of zero credits or less" },
  ),
);

// Deeper JSON could not be answered: writing it recurses.
const shallow = z.refine((value: unknown) => !isDeeperThan(maxDepth, value), {
  error: `JSON, at most ${maxDepth} levels deep`,
});
const result = z.exactOptional(z.unknown().check(shallow));

const forcedEnd = z.discriminatedUnion(
  "status",
  [
    object({ status: z.literal("completed"), result }),
    object({ status: z.literal("failed"), error: text }),
    object({ status: z.literal("expired") }),
  ],
  { error: "one of completed, failed, expired" },
);

const job = object({
  id: text,
  action,
  prompt: text,
  request: z.record(z.string(), z.unknown(), { error: anObject }).check(shallow),
  variations: wholeNumber(1, maxVariations),
  duration: z.optional(milliseconds),
  submittedAt: time,
  brand: z.exactOptional(object({ name: text, colors: list(text) })),
  planned: z.exactOptional(
    object({
      fail: z.exactOptional(text),
      result,
      takesMs: z.exactOptional(milliseconds),
    } satisfies FieldsOf<JobEnd>),
  ),
  refunded: z.exactOptional(z.literal(true, { error: "true" })),
  polls: count,
  seenAt: time,
  shown: z.exactOptional(z.enum(jobStatuses, { error: "a state of a job" })),
  forced: z.exactOptional(forcedEnd),
  startedAt: z.exactOptional(time),
  finishedAt: z.exactOptional(time),
} satisfies FieldsOf<Omit<JobRecord, "charge">>);

// The API keeps whatever a brand or an ad holds.
const thing = z.looseObject({ id: text }, { error: anObject }).check(shallow);

/** Makes the schema of a list of things, each with an id of its own. */
const listOf = <Thing extends z.ZodMiniType<{ readonly id: string }>>(one: Thing) =>
  list(one).check(
    z.refine((things) => new Set(things.map(({ id }) => id)).size === things.length, {
      error: "a list without two things of the same id",
    }),
  );

const issued = wholeNumber(0, 2 ** 32 - 1);

/** Things of one kind, and the count of the ids that they were given. */
type Counted<Kind extends string> = Record<"issued", Record<Kind, number>> &
  Record<`${Kind}s`, readonly unknown[]>;

/** Checks the count of ids of a kind: with a smaller one, the next id would be taken already. */
const countsAll = <const Kind extends keyof AccountState["issued"]>(kind: Kind) =>
  z.refine<Counted<Kind>>((account) => account.issued[kind] >= account[`${kind}s`].length, {
    path: ["issued", kind],
    error: `at least the number of ${kind}s`,
  });

/** Schema of an account in a snapshot, and of everything that it owns. */
const accountSchema = object({
  key: z.string({ error: "an API key" }).check(z.refine(isKey, { error: "an API key" })),
  starting: creditsOfKinds,
  openedAt: time,
  // `null` where the month after is beyond all dates.
  renewsAt: z.nullable(time),
  seed: text,
  offsetMs: milliseconds,
  issued: object({ job: issued, brand: issued, ad: issued } satisfies FieldsOf<
    AccountState["issued"]
  >),
  balances: creditsOfKinds,
  ledger: list(entry),
  jobs: listOf(job),
  brands: listOf(thing),
  ads: listOf(thing),
}).check(countsAll("job"), countsAll("brand"), countsAll("ad"));

// JSON has no `Infinity`: `null` stands for it.
const times = z.nullable(finiteTimes);

const outcome = z.extend(z.omit(outcomeOptionsSchema, { times: true }), {
  number: count,
  end: outcomeSchema,
  taken: count,
  seen: count,
  remaining: times,
});

const faults = object({
  issued: count,
  planned: list(
    object({
      number: count,
      fault: faultSchema,
      options: z.extend(faultOptionsSchema, { times }),
      seen: count,
      played: count,
    }),
  ),
}).check(
  z.refine((all) => all.planned.every(({ number }) => number <= all.issued), {
    path: ["issued"],
    error: "at least the number of every planned fault",
  }),
);

const answeredStatus = wholeNumber(0, 999);

const record = object({
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
  hint: z.optional(text),
} satisfies FieldsOf<Omit<JournalRecord, "tookMs" | "headers">>);

const forgotten = object({
  facts: z.optional(object({ key: z.optional(text) })),
  latest: count,
  count,
} satisfies FieldsOf<ForgottenRequests>);

/** Schema of everything that a snapshot holds. It proves no sums: see `readSnapshot`. */
export const snapshotSchema = z
  .object(
    {
      version: z.literal(1, { error: "1" }).check(z.describe("Version of the format")),
      at: time.check(z.describe("The service's time, in milliseconds since 1970")),
      seed: text,
      requests: count,
      closed: z.record(z.string(), count, { error: anObject }),
      accounts: list(accountSchema).check(
        z.refine((accounts) => new Set(accounts.map(({ key }) => key)).size === accounts.length, {
          error: "a list without two accounts of the same key",
        }),
      ),
      outcomes: list(outcome),
      outcomesIssued: count,
      faults,
      journal: list(record),
      forgotten: list(forgotten),
    },
    { error: "an object with the version 1" },
  )
  .check(
    z.refine(
      ({ outcomes, outcomesIssued }) => outcomes.every(({ number }) => number <= outcomesIssued),
      { path: ["outcomesIssued"], error: "at least the number of every planned outcome" },
    ),
  );
