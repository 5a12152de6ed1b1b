import { creditOfAction, isAction } from "../../src/contract/actions.ts";
import { maxVariations } from "../../src/contract/jobs.ts";
import { findIssues } from "../../src/contract/schema.ts";
import { endOfTimeMs } from "../domain/clock.ts";
import { checkFault, checkFaultOptions } from "../faults/fault-checks.ts";
import { isRecord } from "../options/require.ts";
import { isKey } from "../options/resolve-options.ts";
import { checkOutcome, checkOutcomeOptions } from "../outcomes/outcome-checks.ts";
import type { PlainAccount, PlainWorld } from "./snapshot.ts";
import { snapshotSchema } from "./snapshot-schema.ts";

type Entry = PlainAccount["ledger"][number];

const refuse = (what: string): never => {
  throw new TypeError(`The mock cannot restore this snapshot: ${what}`);
};

const isWhole = (value: number, from = 0): boolean => Number.isSafeInteger(value) && value >= from;

const isTime = (value: number): boolean => Math.abs(value) <= endOfTimeMs;

const isJob = (job: PlainAccount["jobs"][number]): boolean => {
  const { action, variations, submittedAt, seenAt, looks, planned, forced } = job;
  return (
    isAction(action) &&
    isWhole(variations, 1) &&
    variations <= maxVariations &&
    isTime(submittedAt) &&
    isTime(seenAt) &&
    isWhole(looks) &&
    (planned?.takesMs ?? 0) >= 0 &&
    (forced === undefined ||
      ["completed", "expired"].includes(forced.status) ||
      (forced.status === "failed" && typeof forced.error === "string"))
  );
};

/** Which way an entry may go: a charge only takes, a grant only gives. */
const isOneWay = ({ reason, monthly, purchased }: Entry): boolean => {
  if (reason === "charge") return monthly <= 0 && purchased <= 0;
  return !["grant", "refund"].includes(reason) || (monthly >= 0 && purchased >= 0);
};

const isEntry = (entry: Entry): boolean => {
  const { at, credit, reason, monthly, purchased } = entry;
  return (
    isTime(at) &&
    ["image", "video"].includes(credit) &&
    ["grant", "charge", "refund", "renewal", "adjustment"].includes(reason) &&
    Number.isSafeInteger(monthly) &&
    Number.isSafeInteger(purchased) &&
    isOneWay(entry)
  );
};

/** Whole credits, never below zero, and in the end the balances. */
const requireLedger = ({ key, ledger, balances }: PlainAccount, place: number): void => {
  const sums = { image: { monthly: 0, purchased: 0 }, video: { monthly: 0, purchased: 0 } };
  for (const [number, entry] of ledger.entries()) {
    const sum = isEntry(entry) ? sums[entry.credit] : undefined;
    if (sum !== undefined) {
      sum.monthly += entry.monthly;
      sum.purchased += entry.purchased;
    }
    if (sum === undefined || !isWhole(sum.monthly) || !isWhole(sum.purchased)) {
      refuse(`accounts.${place}.ledger.${number} is not an entry`);
    }
  }
  for (const credit of ["image", "video"] as const) {
    for (const pot of ["monthly", "purchased"] as const) {
      if (sums[credit][pot] === balances[credit][pot]) continue;
      refuse(`accounts.${place}.balances.${credit}.${pot} is not the sum of the ledger of ${key}`);
    }
  }
};

/** Nobody pays twice for a job, or is paid back twice, or for nothing. */
const requirePayments = ({ jobs, ledger }: PlainAccount, place: number): void => {
  const byJob = (reason: Entry["reason"]): Map<string | undefined, Entry> =>
    new Map(ledger.flatMap((entry) => (entry.reason === reason ? [[entry.jobId, entry]] : [])));
  const [charges, refunds] = [byJob("charge"), byJob("refund")];
  const paying = ledger.filter(({ reason }) => reason === "charge" || reason === "refund");
  const isRight =
    paying.length === charges.size + refunds.size &&
    jobs.every(({ id, action, refunded = false }) => {
      const [charge, refund] = [charges.get(id), refunds.get(id)];
      if (charge === undefined) return refund === undefined && !refunded;
      const isBack =
        refund === undefined ||
        (refund.credit === charge.credit &&
          refund.monthly + charge.monthly === 0 &&
          refund.purchased + charge.purchased === 0);
      return (
        charge.credit === creditOfAction[action] && isBack && refunded === (refund !== undefined)
      );
    }) &&
    [...charges.keys(), ...refunds.keys()].every((jobId) => jobs.some(({ id }) => id === jobId));
  if (!isRight) refuse(`accounts.${place}.ledger does not fit its jobs`);
};

/** As many ids as things: the next one must not be one that is there. */
const requireIds = ({ key, issued, jobs, brands, ads }: PlainAccount, place: number): void => {
  for (const [kind, things] of [
    ["job", jobs],
    ["brand", brands],
    ["ad", ads],
  ] as const) {
    const ids = new Set<string>(things.map(({ id }) => id));
    if (ids.size !== things.length) refuse(`accounts.${place} has two ${kind}s of the same id`);
    if (isWhole(issued[kind], ids.size) && issued[kind] < 2 ** 32) continue;
    refuse(`accounts.${place}.issued.${kind} does not fit the ${kind}s of ${key}`);
  }
};

const requireAccount = (account: PlainAccount, place: number): void => {
  const { key, starting, openedAt, offsetMs, jobs } = account;
  if (!isKey(key)) refuse(`accounts.${place}.key is no API key`);
  const pots = [starting.image, starting.video];
  if (!pots.every(({ monthly, purchased }) => isWhole(monthly) && isWhole(purchased))) {
    refuse(`accounts.${place}.starting must be whole numbers, zero or more`);
  }
  if (!isTime(openedAt) || !(offsetMs >= 0)) refuse(`accounts.${place} has no such time`);
  const broken = jobs.findIndex((job) => !isJob(job));
  if (broken !== -1) refuse(`accounts.${place}.jobs.${broken} is not a job`);
  requireLedger(account, place);
  requirePayments(account, place);
  requireIds(account, place);
};

/** Refuses what is not a snapshot, or one that somebody has changed so that it cannot be true. */
export const checkSnapshot = (value: unknown): PlainWorld => {
  if (!isRecord(value) || value["version"] !== 1) refuse("expected version 1");
  const [issue] = findIssues(snapshotSchema, value);
  if (issue !== undefined) refuse(`${issue.path.join(".")}: ${issue.message}`);
  // The schema has just said so, in a way that the compiler cannot follow.
  const world = value as unknown as PlainWorld;
  if (!isTime(world.at)) refuse("at: there is no such time");
  if (new Set(world.accounts.map(({ key }) => key)).size !== world.accounts.length) {
    refuse("accounts: two have the same key");
  }
  world.accounts.forEach(requireAccount);
  for (const { fault, options, number, seen, played } of world.faults.planned) {
    if (!isWhole(seen) || !isWhole(played) || !isWhole(number) || number > world.faults.issued) {
      refuse("faults.planned has counts that cannot be");
    }
    checkFault(fault);
    checkFaultOptions({ ...options, times: options.times ?? Number.POSITIVE_INFINITY });
  }
  for (const { end, remaining, ...options } of world.outcomes) {
    checkOutcome(end);
    checkOutcomeOptions({ ...options, times: remaining ?? Number.POSITIVE_INFINITY }, false);
  }
  return world;
};
