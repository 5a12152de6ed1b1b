import {
  array,
  boolean,
  nullable,
  number,
  object,
  optional,
  type Schema,
  string,
} from "../src/contract/schema.ts";

/** Made when they are needed: importing the mock shall cost nothing. */
export const snapshotSchema = (): Schema => {
  const pots = object({ monthly: number, purchased: number });
  const credits = object({ image: pots, video: pots });
  const entry = object({
    at: number,
    credit: string,
    monthly: number,
    purchased: number,
    reason: string,
    jobId: optional(string),
  });
  const job = object({
    id: string,
    action: string,
    prompt: string,
    variations: number,
    duration: optional(number),
    submittedAt: number,
    looks: number,
    seenAt: number,
    refunded: optional(boolean),
    brand: optional(object({ name: string, colors: array(string) })),
    planned: optional(object({ fail: optional(string), takesMs: optional(number) })),
    forced: optional(object({ status: string, error: optional(string) })),
  });
  const account = object({
    key: string,
    starting: credits,
    openedAt: number,
    renewsAt: nullable(number),
    seed: string,
    offsetMs: number,
    issued: object({ job: number, brand: number, ad: number }),
    balances: credits,
    ledger: array(entry),
    jobs: array(job),
    brands: array(object({ id: string })),
    ads: array(object({ id: string })),
  });
  const record = object({
    number,
    at: number,
    operation: optional(string),
    method: string,
    path: string,
    key: optional(string),
    request: string,
    status: optional(number),
    response: string,
    requestId: string,
    accepted: boolean,
  });
  return object({
    at: number,
    seed: string,
    requests: number,
    accounts: array(account),
    outcomes: array(object({ end: object({}), remaining: nullable(number) })),
    faults: object({
      issued: number,
      planned: array(
        object({
          number,
          fault: object({ kind: string }),
          options: object({ times: nullable(number) }),
          seen: number,
          played: number,
        }),
      ),
    }),
    journal: array(record),
  });
};
