import { expect } from "vitest";
import type { JobView, LedgerEntry, MockAccount, MockService } from "../../../mocks/index.ts";
import { type Bench, same, spoil } from "./bench.ts";
import { historyOf, isGone, settle, stateOf } from "./passing-time.ts";
import {
  creditOf,
  type ModelAccount,
  type ModelJob,
  type ModelPlan,
  type ModelPlans,
  type Rules,
  show,
} from "./world.ts";

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

/** Plans as they are listed, of a whole service or of one account. */
export const shownPlans = <Kind extends keyof ModelPlans>(
  kind: Kind,
  plans: ModelPlans[Kind],
  key?: string,
) =>
  plans
    .filter(({ account }) => key === undefined || account === key)
    .map(({ number, what, times, done, only, account }) => ({
      id: `${kind}_${number}`,
      ...(kind === "fault" ? { fault: what } : what),
      ...(only && (kind === "fault" ? { operation: only } : { action: only[0] })),
      ...(account !== undefined && { account }),
      ...{ times, [kind === "fault" ? "played" : "taken"]: done, remaining: times - done },
    }));

/** The beginning of what an assertion says about plans that wait. */
const complaint = (assert: () => void): string => {
  try {
    assert();
    return "";
  } catch (error) {
    return String(error).split(" as often as planned: ")[0] ?? "";
  }
};

type Planned = Pick<MockService | MockAccount, "faults" | "jobs">;

const seenPlans = ({ faults, jobs }: Planned) => ({
  faults: faults.planned,
  outcomes: jobs.planned,
  notPlayed: complaint(faults.assertPlayed),
  notTaken: complaint(jobs.assertTaken),
});

const expectedComplaint = (one: string, done: string, plans: ModelPlan[], key = ""): string => {
  const { length } = plans.filter(
    ({ times, done, account }) =>
      (key === "" || account === key) && (times !== Number.POSITIVE_INFINITY || done === 0),
  );
  if (length === 0) return "";
  const subject = length === 1 ? `A planned ${one} was` : `${length} planned ${one}s were`;
  return `Error: ${subject} not ${done}`;
};

const expectedPlans = ({ fault, outcome }: ModelPlans, key?: string) => ({
  faults: shownPlans("fault", fault, key),
  outcomes: shownPlans("outcome", outcome, key),
  notPlayed: expectedComplaint("fault", "played", fault, key),
  notTaken: expectedComplaint("outcome", "taken", outcome, key),
});

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
      brands: real.brands,
      ads: real.savedAds,
      ...seenPlans(real),
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
      brands: brands.map(show).reverse(),
      ads: ads.map(show).reverse(),
      ...expectedPlans(world.plans, key),
    };
    same(seen, expected, key);
    requireSoundLedger(seen.ledger, seen.balances);
    const { all } = real.jobs;
    requireJobs(rules, model, now, all);
    spoil([seen, all]);
  }
  same(
    {
      now: service.clock.now(),
      accounts: service.accounts.map(({ key }) => key),
      ...seenPlans(service),
    },
    {
      now: serviceNow,
      accounts: world.accounts.map(({ key }) => key),
      ...expectedPlans(world.plans),
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
  const exchanges = service.journal.entries.map(({ fault, answer, ...entry }) => ({
    ...{ number: entry.number, operation: entry.operation, accepted: entry.accepted },
    ...{ status: answer?.status, method: entry.method, path: entry.path, fault: fault?.kind },
    ...{ at: entry.at, jobId: entry.jobId },
  }));
  same(
    exchanges,
    journal.map(({ key: _, body: __, ...exchange }) => exchange),
    "the journal",
  );
};
