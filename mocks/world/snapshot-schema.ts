import * as z from "zod/mini";
import type { Schema } from "../../src/contract/schema.ts";

/** Makes the schemas when they are needed, so that importing the mock costs nothing. */
export const snapshotSchema = (): Schema => {
  const pots = z.looseObject({ monthly: z.number(), purchased: z.number() });
  const credits = z.looseObject({ image: pots, video: pots });
  const entry = z.looseObject({
    at: z.number(),
    credit: z.string(),
    monthly: z.number(),
    purchased: z.number(),
    reason: z.string(),
    jobId: z.optional(z.string()),
  });
  const job = z.looseObject({
    id: z.string(),
    action: z.string(),
    prompt: z.string(),
    variations: z.number(),
    duration: z.optional(z.number()),
    submittedAt: z.number(),
    looks: z.number(),
    seenAt: z.number(),
    refunded: z.optional(z.boolean()),
    brand: z.optional(z.looseObject({ name: z.string(), colors: z.array(z.string()) })),
    planned: z.optional(
      z.looseObject({ fail: z.optional(z.string()), takesMs: z.optional(z.number()) }),
    ),
    forced: z.optional(z.looseObject({ status: z.string(), error: z.optional(z.string()) })),
  });
  const account = z.looseObject({
    key: z.string(),
    starting: credits,
    openedAt: z.number(),
    renewsAt: z.nullable(z.number()),
    seed: z.string(),
    offsetMs: z.number(),
    issued: z.looseObject({ job: z.number(), brand: z.number(), ad: z.number() }),
    balances: credits,
    ledger: z.array(entry),
    jobs: z.array(job),
    brands: z.array(z.looseObject({ id: z.string() })),
    ads: z.array(z.looseObject({ id: z.string() })),
  });
  const record = z.looseObject({
    number: z.number(),
    at: z.number(),
    operation: z.optional(z.string()),
    method: z.string(),
    path: z.string(),
    key: z.optional(z.string()),
    request: z.string(),
    status: z.optional(z.number()),
    response: z.string(),
    requestId: z.string(),
    accepted: z.boolean(),
  });
  return z.looseObject({
    at: z.number(),
    seed: z.string(),
    requests: z.number(),
    accounts: z.array(account),
    outcomes: z.array(z.looseObject({ end: z.looseObject({}), remaining: z.nullable(z.number()) })),
    faults: z.looseObject({
      issued: z.number(),
      planned: z.array(
        z.looseObject({
          number: z.number(),
          fault: z.looseObject({ kind: z.string() }),
          options: z.looseObject({ times: z.nullable(z.number()) }),
          seen: z.number(),
          played: z.number(),
        }),
      ),
    }),
    journal: z.array(record),
  });
};
