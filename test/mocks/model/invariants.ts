import { expect } from "vitest";
import type { JobView, LedgerEntry, MockAccount } from "../../../mocks/index.ts";
import { type Bench, same } from "./bench.ts";
import { historyOf, isGone, settle, stateOf } from "./passing-time.ts";
import { creditOf, type ModelAccount, type ModelJob, type Rules } from "./world.ts";

/** Checks the rules that hold for every ledger at any time. */
const requireSoundLedger = (
  ledger: readonly LedgerEntry[],
  balances: MockAccount["credits"],
): void => {
  const sums = { image: { monthly: 0, purchased: 0 }, video: { monthly: 0, purchased: 0 } };
  let latest = Number.NEGATIVE_INFINITY;
  for (const entry of ledger) {
    const { at, credit, monthly, purchased, reason } = entry;
    const sum = sums[credit];
    const text = JSON.stringify(entry);
    if (at < latest) expect.fail(`the ledger goes back in time: ${text}`);
    latest = at;
    sum.monthly += monthly;
    sum.purchased += purchased;
    if (sum.monthly < 0 || sum.purchased < 0) expect.fail(`below zero: ${text}`);
    if (reason === "charge" && purchased < 0 && sum.monthly !== 0) {
      expect.fail(`monthly first: ${text}`);
    }
  }
  same(sums, balances, "the sum of the ledger is the balance");
};

const requireResult = ({ action, variations, end, forced }: ModelJob, result: unknown) => {
  const given = forced?.status === "completed" && "result" in forced ? forced : end;
  if ("result" in given) return same(result, given.result, "the result that was given");
  const credit = creditOf(action);
  const field = credit === null ? "copy" : `${credit}s`;
  const fields = {
    copy: ["headline", "primary_text", "description", "call_to_action"],
    images: ["url", "width", "height"],
    videos: ["url", "duration"],
  }[field];
  const entries = (result as Record<string, object[]>)[field] ?? [];
  const names = Array.from({ length: variations }, () => fields);
  same(Object.keys(result as object), [field], "the result of its action");
  same(entries.map(Object.keys), names, "one entry a variation");
};

export const requireJob = (rules: Rules, job: ModelJob, now: number, shown: JobView): void => {
  const { status, error } = stateOf(rules, job, now);
  const { result, ...view } = shown;
  const { id, action, submittedAt } = job;
  const expected = {
    job_id: id,
    status,
    action,
    created_at: new Date(submittedAt).toISOString(),
    ...(error !== undefined && { error }),
  };
  same(view, expected, `${action} ${id}`);
  same("result" in shown, status === "completed", `${id} has a result`);
  if (status === "completed") requireResult(job, result);
};

/** Checks a list of jobs, the newest first. */
export const requireJobs = (
  rules: Rules,
  account: ModelAccount,
  now: number,
  shown: readonly JobView[],
  limit = Number.POSITIVE_INFINITY,
): void => {
  const visible = account.jobs.filter((job) => !isGone(rules, job, now)).reverse();
  const listed = visible.slice(0, limit);
  same(shown.length, listed.length, "the number of jobs");
  for (const [place, job] of listed.entries()) requireJob(rules, job, now, shown[place] as JobView);
};

const costOf = ({ charge, isRefunded }: ModelJob) =>
  charge && {
    credit: charge.credit,
    amount: 0 - charge.monthly - charge.purchased,
    monthly: 0 - charge.monthly,
    purchased: 0 - charge.purchased,
    refunded: isRefunded,
  };

const ids = (things: readonly { readonly id: string }[]) => things.map(({ id }) => id);

const waiting = (plans: readonly { remaining: number; account?: string }[], key?: string) =>
  plans
    .filter(({ account }) => key === undefined || account === key)
    .map(({ remaining, account }) => [remaining, account]);

/** Checks that everything that can be seen of the service is as in the model. */
export const requireWorld = ({ rules, base, world, service }: Bench): void => {
  const serviceNow = base.now() + world.offset;
  for (const model of world.accounts) {
    const { key, offset, balances, ledger, jobs, brands, ads } = model;
    const now = serviceNow + offset;
    const real = service.account(key);
    settle(rules, model, now);
    const seen = {
      now: real.clock.now(),
      // Before the jobs: looking at those must not be what pays a failed one back.
      balances: real.credits,
      ledger: real.ledger,
      charges: real.charges,
      counts: real.counts,
      brands: ids(real.brands),
      ads: ids(real.savedAds),
      faults: waiting(real.faults.planned),
      outcomes: waiting(real.jobs.planned),
    };
    const states = { queued: 0, processing: 0, completed: 0, failed: 0 };
    for (const job of jobs) {
      if (!isGone(rules, job, now)) states[stateOf(rules, job, now).status] += 1;
    }
    const expected = {
      now,
      balances,
      ledger,
      charges: jobs.flatMap((job) => {
        const { id, action, charge } = job;
        return charge ? [{ at: charge.at, jobId: id, action, ...costOf(job) }] : [];
      }),
      counts: { jobs: states, brands: brands.length, savedAds: ads.length },
      brands: ids(brands).reverse(),
      ads: ids(ads).reverse(),
      faults: waiting(world.faults, key),
      outcomes: waiting(world.outcomes, key),
    };
    same(seen, expected, key);
    requireSoundLedger(seen.ledger, seen.balances);
    requireJobs(rules, model, now, real.jobs.all);
  }
  same(
    {
      now: service.clock.now(),
      accounts: service.accounts.map(({ key }) => key),
      faults: waiting(service.faults.planned),
      outcomes: waiting(service.jobs.planned),
    },
    {
      now: serviceNow,
      accounts: world.accounts.map(({ key }) => key),
      faults: waiting(world.faults),
      outcomes: waiting(world.outcomes),
    },
    "the service",
  );
};

/** Checks the past. This costs more than the other checks, so it happens once in a run. */
export const requireHistory = ({ rules, base, world, service }: Bench): void => {
  const { journal, accounts, offset } = world;
  for (const account of accounts) {
    const now = base.now() + offset + account.offset;
    for (const job of account.jobs) {
      const { id, submittedAt, polls, request, brand } = job;
      const shown = service.jobs.find(id);
      const { startedAt, finishedAt, endedBy } = historyOf(rules, job, now);
      const known = {
        ...{ job: shown, account: account.key, request, brand, cost: costOf(job) },
        ...{ submittedAt, startedAt, finishedAt, polls: polls.length, endedBy },
      };
      const expected = isGone(rules, job, now) ? undefined : known;
      same(shown?.job_id, expected && id, `${id} is found`);
      same(service.jobs.inspect(id), expected, `all about ${id}`);
    }
  }
  const exchanges = service.journal.entries.map(
    ({ number, at, operation, accepted, fault, answer }) =>
      ({ number, at, operation, accepted, fault: fault?.kind, status: answer?.status }) as object,
  );
  same(
    exchanges,
    journal.map(({ key: _, ...exchange }) => exchange),
    "the journal",
  );
};
