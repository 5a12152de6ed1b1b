import { isAction } from "../src/contract/actions.ts";
import { maxVariations } from "../src/contract/jobs.ts";
import { findIssues } from "../src/contract/schema.ts";
import { endOfTimeMs } from "./domain/clock.ts";
import { checkFault, checkFaultOptions } from "./fault-checks.ts";
import { checkOutcome, checkOutcomeOptions } from "./outcome-checks.ts";
import { isRecord } from "./refusal.ts";
import type { PlainAccount, PlainWorld } from "./snapshot.ts";
import { snapshotSchema } from "./snapshot-schema.ts";

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

const isEntry = ({ at, credit, reason }: PlainAccount["ledger"][number]): boolean =>
  isTime(at) &&
  ["image", "video"].includes(credit) &&
  ["grant", "charge", "refund", "renewal", "adjustment"].includes(reason);

/** As many ids as things: the next one must not be one that is there. */
const requireIds = ({ key, issued, jobs, brands, ads }: PlainAccount, place: number): void => {
  for (const [kind, things] of [
    ["job", jobs],
    ["brand", brands],
    ["ad", ads],
  ] as const) {
    const ids = new Set<string>(things.map(({ id }) => id));
    if (ids.size !== things.length) refuse(`accounts.${place} has two ${kind}s of the same id`);
    if (isWhole(issued[kind], ids.size)) continue;
    refuse(`accounts.${place}.issued.${kind} is less than ${key} has of them`);
  }
};

const requireAccount = (account: PlainAccount, place: number): void => {
  const { starting, openedAt, offsetMs, jobs, ledger } = account;
  const pots = [starting.image, starting.video];
  if (!pots.every(({ monthly, purchased }) => isWhole(monthly) && isWhole(purchased))) {
    refuse(`accounts.${place}.starting must be whole numbers, zero or more`);
  }
  if (!isTime(openedAt) || !(offsetMs >= 0)) refuse(`accounts.${place} has no such time`);
  const broken = jobs.findIndex((job) => !isJob(job));
  if (broken !== -1) refuse(`accounts.${place}.jobs.${broken} is not a job`);
  const strange = ledger.findIndex((entry) => !isEntry(entry));
  if (strange !== -1) refuse(`accounts.${place}.ledger.${strange} is not an entry`);
  requireSums(account, place);
  requireIds(account, place);
};

/** Refuses what is not a snapshot, or one that somebody has changed so that it cannot be true. */
export const checkSnapshot = (value: unknown): PlainWorld => {
  if (!isRecord(value) || value["version"] !== 1) refuse("expected version 1");
  const [issue] = findIssues(snapshotSchema(), value);
  if (issue !== undefined) refuse(`${issue.path.join(".")}: ${issue.message}`);
  const world = value as unknown as PlainWorld;
  if (!isTime(world.at)) refuse("at: there is no such time");
  if (new Set(world.accounts.map(({ key }) => key)).size !== world.accounts.length) {
    refuse("accounts: two have the same key");
  }
  world.accounts.forEach(requireAccount);
  for (const { fault, options } of world.faults.planned) {
    checkFault(fault);
    checkFaultOptions({ ...options, times: options.times ?? Number.POSITIVE_INFINITY });
  }
  for (const { end, remaining, ...options } of world.outcomes) {
    checkOutcome(end);
    checkOutcomeOptions({ ...options, times: remaining ?? Number.POSITIVE_INFINITY }, false);
  }
  return world;
};
