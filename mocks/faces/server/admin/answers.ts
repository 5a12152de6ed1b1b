/** Schemas of the admin's answers: the `data` of the envelope, as JSON shows it. */
import * as z from "zod/mini";
import { jobStatuses } from "../../../../src/contract/jobs.ts";
import { faultOptionsSchema, faultSchema } from "../../../faults/fault-schema.ts";
import { action, apiKey, count, optional, text, trueOrFalse } from "../../../options/fields.ts";
import { outcomeFields, outcomeOptionsSchema } from "../../../outcomes/outcome.ts";
import { snapshotSchema } from "../../../world/snapshot-schema.ts";

/** Parts of a snapshot: the admin shows most of an account and of a request as they are there. */
const { accounts, journal, version, at: time } = snapshotSchema.shape;
const savedAccount = accounts.def.element.shape;
const savedRequest = journal.def.element;
const savedEntry = savedAccount.ledger.def.element.shape;
const pots = savedAccount.balances.shape.image.shape;

const timestamp = time.check(z.describe("Milliseconds since 1970."));

/** JSON has no `Infinity`: a number without end is `null`. */
const endless = z.nullable(z.number()).check(z.describe("A number, or null for no end."));

export const clockReading = z.object({
  now: timestamp,
  time: text.check(z.describe("The same time in ISO 8601.")),
});

export const accountSummary = z.object({
  key: text,
  ...clockReading.shape,
  credits: savedAccount.balances,
});

export const accountList = z.object({ accounts: z.array(accountSummary) });

const charge = z.object({
  at: timestamp,
  jobId: text,
  action,
  credit: savedEntry.credit,
  amount: count,
  ...pots,
  refunded: trueOrFalse,
});

export const jobCounts = z.object({
  queued: count,
  processing: count,
  completed: count,
  failed: count,
});

export const accountDetail = z.object({
  ...accountSummary.shape,
  ledger: z.array(z.object({ ...savedEntry, at: timestamp })),
  charges: z.array(charge),
  brands: savedAccount.brands,
  savedAds: savedAccount.ads,
  counts: z.object({ jobs: jobCounts, brands: count, savedAds: count }),
});

export const job = z.object({
  job_id: text,
  status: z.enum(jobStatuses),
  action,
  created_at: text,
  result: z.exactOptional(z.unknown()),
  error: z.exactOptional(text),
});

export const foundJobs = z.object({
  total: count.check(z.describe("Number of all jobs that fit, also of those not listed.")),
  counts: jobCounts,
  jobs: z.array(z.object({ ...job.shape, account: text })),
});

const cost = z.object({ credit: savedEntry.credit, amount: count, ...pots, refunded: trueOrFalse });

export const jobDetail = z.object({
  job,
  account: text,
  request: z
    .looseObject({})
    .check(z.describe("Body of its submission, shortened when it is long.")),
  brand: optional(text, "Name of its brand at that time"),
  cost: optional(cost, "Credits that it cost; absent for a free job"),
  submittedAt: timestamp,
  startedAt: optional(timestamp, "Time at which its processing began"),
  finishedAt: optional(timestamp, "Time at which it completed or failed"),
  polls: count.check(z.describe("Number of times that a client asked for it unfinished.")),
  requests: z.array(count).check(z.describe("Numbers of its journal entries, oldest first.")),
});

/** A job that has expired may be gone, by the service's `expiry`. */
export const endedJob = z.nullable(job);

export const plannedFault = z.object({
  id: text,
  fault: faultSchema,
  played: count,
  remaining: endless,
  ...faultOptionsSchema.shape,
  times: optional(endless, "How many requests meet it; null for all"),
});

export const plannedOutcome = z.object({
  id: text,
  ...outcomeFields,
  ...outcomeOptionsSchema.shape,
  takesMs: optional(endless, "Milliseconds that the job takes; null: it expires"),
  times: optional(endless, "How many submissions it is for; null for all"),
  taken: count,
  remaining: endless,
});

export const outcomeList = z.object({ outcomes: z.array(plannedOutcome) });

export const faultList = z.object({ faults: z.array(plannedFault) });

export const journalEntry = z.object({
  ...z.omit(savedRequest, {
    ...{ key: true, request: true, status: true, response: true, cut: true },
  }).shape,
  at: timestamp,
  account: optional(apiKey, "The API key, masked."),
  body: z.optional(z.unknown()),
  action: z.optional(action),
  tookMs: optional(z.number(), "Milliseconds until the answer was delivered"),
  truncated: trueOrFalse.check(
    z.describe("The path, the body or the answer was cut; a cut body is text that ends in …"),
  ),
  answer: z.optional(z.object({ status: z.number(), body: z.optional(z.unknown()) })),
});

export const journalPage = z.object({
  total: count.check(z.describe("Number of the requests that fit.")),
  forgotten: count.check(
    z.describe("Number of earlier requests that may fit too, but are forgotten."),
  ),
  entries: z.array(journalEntry),
});

export const snapshot = z.looseObject({ version, at: timestamp });

const overviewList = z.object({ total: count, items: z.array(z.looseObject({})) });

export const overviewAnswer = z.object({
  accounts: overviewList,
  jobs: z.object({ ...overviewList.shape, counts: jobCounts }),
  brands: overviewList,
  savedAds: overviewList,
  faults: z.array(plannedFault),
  outcomes: z.array(plannedOutcome),
  journal: overviewList,
  problems: z
    .array(z.string())
    .check(z.describe("What goes wrong now: the state cannot be saved, and why.")),
});

const jsonSchema = z.looseObject({}).check(z.describe("A JSON schema."));

export const helpAnswer = z.object({
  routes: z.array(
    z.object({
      method: text,
      path: text,
      summary: text,
      query: z.exactOptional(jsonSchema),
      body: z.exactOptional(jsonSchema),
    }),
  ),
});
