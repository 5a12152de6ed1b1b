import { isAction } from "../src/contract/actions.ts";
import {
  array,
  boolean,
  findIssues,
  nullable,
  number,
  object,
  optional,
  type Schema,
  string,
} from "../src/contract/schema.ts";
import { checkFault, checkFaultOptions } from "./fault-checks.ts";
import { checkOutcome, checkOutcomeOptions } from "./outcome-checks.ts";
import { isRecord } from "./refusal.ts";
import type { PlainAccount, PlainWorld } from "./snapshot.ts";

/** Made when they are needed: importing the mock shall cost nothing. */
const snapshotSchema = (): Schema => {
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

const refuse = (what: string): never => {
  throw new TypeError(`The mock cannot restore this snapshot: ${what}`);
};

const requireSums = ({ key, ledger, balances }: PlainAccount, place: number): void => {
  for (const credit of ["image", "video"] as const) {
    for (const pot of ["monthly", "purchased"] as const) {
      const entries = ledger.filter((entry) => entry.credit === credit);
      const sum = entries.reduce((total, entry) => total + entry[pot], 0);
      if (sum === balances[credit][pot] && sum >= 0) continue;
      refuse(`accounts.${place}.balances.${credit}.${pot} is not the sum of the ledger of ${key}`);
    }
  }
};

const requireJobs = ({ jobs }: PlainAccount, place: number): void => {
  const broken = jobs.findIndex(
    ({ action, variations, forced }) =>
      !isAction(action) ||
      !(Number.isInteger(variations) && variations >= 1 && variations <= 10) ||
      (forced !== undefined && !["completed", "failed", "expired"].includes(forced.status)),
  );
  if (broken !== -1) refuse(`accounts.${place}.jobs.${broken} is not a job`);
};

/** Refuses what is not a snapshot, or one that somebody has changed so that it cannot be true. */
export const checkSnapshot = (value: unknown): PlainWorld => {
  if (!isRecord(value) || value["version"] !== 1) refuse("expected version 1");
  const [issue] = findIssues(snapshotSchema(), value);
  if (issue !== undefined) refuse(`${issue.path.join(".")}: ${issue.message}`);
  const world = value as unknown as PlainWorld;
  world.accounts.forEach(requireSums);
  world.accounts.forEach(requireJobs);
  for (const { fault, options } of world.faults.planned) {
    checkFault(fault);
    checkFaultOptions({ ...options, times: options.times ?? Number.POSITIVE_INFINITY });
  }
  for (const { end, remaining, ...options } of world.outcomes) {
    checkOutcome(end);
    checkOutcomeOptions({ ...options, times: remaining ?? Number.POSITIVE_INFINITY });
  }
  return world;
};
