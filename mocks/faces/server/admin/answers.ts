/** Schemas of the admin's answers: the `data` of the envelope, as JSON shows it. */
import * as z from "zod/mini";
import { jobStatuses } from "../../../../src/contract/jobs.ts";
import { faultSchema } from "../../../faults/fault-schema.ts";
import { action, operation } from "../../../options/fields.ts";

const timestamp = z.number().check(z.describe("Milliseconds since 1970."));
const credit = z.enum(["image", "video"]);
const pots = z.object({ monthly: z.number(), purchased: z.number() });

/** JSON has no `Infinity`: a number without end is `null`. */
const endless = z.nullable(z.number()).check(z.describe("A number, or null for no end."));

export const clockReading = z.object({
  now: timestamp,
  time: z.string().check(z.describe("The same time in ISO 8601.")),
});

export const accountSummary = z.object({
  key: z.string(),
  ...clockReading.shape,
  credits: z.object({ image: pots, video: pots }),
});

export const accountList = z.object({ accounts: z.array(accountSummary) });

const ledgerEntry = z.object({
  at: timestamp,
  credit,
  ...pots.shape,
  reason: z.enum(["grant", "charge", "refund", "renewal", "adjustment"]),
  jobId: z.exactOptional(z.string()),
});

const charge = z.object({
  at: timestamp,
  jobId: z.string(),
  action,
  credit,
  amount: z.number(),
  ...pots.shape,
  refunded: z.boolean(),
});

const libraryItem = z.looseObject({ id: z.string() });

export const accountDetail = z.object({
  ...accountSummary.shape,
  ledger: z.array(ledgerEntry),
  charges: z.array(charge),
  brands: z.array(libraryItem),
  savedAds: z.array(libraryItem),
});

export const job = z.object({
  job_id: z.string(),
  status: z.enum(jobStatuses),
  action,
  created_at: z.string(),
  result: z.exactOptional(z.unknown()),
  error: z.exactOptional(z.string()),
});

export const ownedJobs = z.object({
  jobs: z.array(z.object({ ...job.shape, account: z.string() })),
});

/** A job that has expired may be gone, by the service's `expiry`. */
export const endedJob = z.nullable(job);

export const plannedFault = z.object({
  id: z.string(),
  fault: faultSchema,
  played: z.number(),
  remaining: endless,
  times: z.exactOptional(endless),
  operation: z.exactOptional(z.union([operation, z.array(operation)])),
  account: z.exactOptional(z.string()),
  probability: z.exactOptional(z.number()),
});

export const faultList = z.object({ faults: z.array(plannedFault) });

export const journalEntry = z.object({
  number: z.number(),
  at: timestamp,
  operation: z.optional(operation),
  account: z.optional(z.string().check(z.describe("The API key, masked."))),
  method: z.string(),
  path: z.string(),
  body: z.optional(z.unknown()),
  action: z.optional(action),
  answer: z.optional(z.object({ status: z.number(), body: z.optional(z.unknown()) })),
  requestId: z.string(),
  accepted: z.boolean(),
  fault: z.optional(faultSchema),
});

export const journalPage = z.object({
  total: z.number().check(z.describe("Number of the requests that fit.")),
  entries: z.array(journalEntry),
});

export const snapshot = z.looseObject({ version: z.literal(1), at: timestamp });

const overviewList = z.object({ total: z.number(), items: z.array(z.looseObject({})) });

export const overviewAnswer = z.object({
  accounts: overviewList,
  jobs: overviewList,
  faults: z.array(plannedFault),
  journal: overviewList,
});

const jsonSchema = z.looseObject({}).check(z.describe("A JSON schema."));

export const helpAnswer = z.object({
  routes: z.array(
    z.object({
      method: z.string(),
      path: z.string(),
      summary: z.string(),
      query: z.exactOptional(jsonSchema),
      body: z.exactOptional(jsonSchema),
    }),
  ),
});
