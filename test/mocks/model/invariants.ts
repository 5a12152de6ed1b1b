import { expect } from "vitest";
import type { JobView, MockAccount, MockService } from "../../../mocks/index.ts";
import { same } from "./bench.ts";
import { historyOf, isGone, settle, stateOf } from "./passing-time.ts";
import {
  creditOf,
  type Entry,
  type ModelAccount,
  type ModelJob,
  type Rules,
  type World,
} from "./world.ts";

/** Checks the rules that hold for every ledger at any time. */
const requireSoundLedger = (ledger: readonly Entry[], balances: MockAccount["credits"]): void => {
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

const requireResult = ({ action, variations, end, forced }: ModelJob, result: unknown): void => {
  const given = forced?.status === "completed" && "result" in forced ? forced : end;
  if ("result" in given) {
    same(result, given.result, "the result that was given");
    return;
  }
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
  const { status: seen, result, ...view } = shown;
  const what = `${job.action} ${job.id}`;
  same(seen, status, what);
  same(
    view,
    {
      job_id: job.id,
      action: job.action,
      created_at: new Date(job.submittedAt).toISOString(),
      ...(error !== undefined && { error }),
    },
    what,
  );
  same("result" in shown, seen === "completed", `${what} has a result`);
  if (seen === "completed") requireResult(job, result);
};

export const visibleJobs = (rules: Rules, account: ModelAccount, now: number): ModelJob[] =>
  account.jobs.filter((job) => !isGone(rules, job, now)).reverse();

export const requireJobs = (
  rules: Rules,
  account: ModelAccount,
  now: number,
  shown: readonly JobView[],
  limit = Number.POSITIVE_INFINITY,
): void => {
  const visible = visibleJobs(rules, account, now).slice(0, limit);
  same(
    shown.map(({ job_id }) => job_id),
    visible.map(({ id }) => id),
    "the jobs, newest first",
  );
  visible.forEach((job, place) => {
    const view = shown[place];
    if (view) requireJob(rules, job, now, view);
  });
};

const requireAccount = (rules: Rules, model: ModelAccount, now: number, real: MockAccount) => {
  settle(rules, model, now);
  same(real.clock.now(), now, "the account's time");
  // Before the jobs: looking at those must not be what pays a failed one back.
  const { credits: balances, ledger, charges } = real;
  const jobs = real.jobs.all;
  requireJobs(rules, model, now, jobs);
  requireSoundLedger(ledger, balances);
  const plain = ({ at, credit, monthly, purchased, reason, jobId }: Entry) => [
    at,
    credit,
    monthly,
    purchased,
    reason,
    jobId,
  ];
  same(ledger.map(plain), model.ledger.map(plain), `the ledger of ${model.key}`);
  same(balances, model.balances, `the balances of ${model.key}`);
  const paid = model.jobs.flatMap((job) => (job.charge ? [{ ...job, ...job.charge }] : []));
  same(
    charges,
    paid.map(({ at, id, action, credit, monthly, purchased, isRefunded }) => ({
      at,
      jobId: id,
      action,
      credit,
      amount: 0 - monthly - purchased,
      monthly: 0 - monthly,
      purchased: 0 - purchased,
      refunded: isRefunded,
    })),
    `the charges of ${model.key}`,
  );
  const newestFirst = (things: readonly { readonly id: string }[]) => things.map(({ id }) => id);
  same(newestFirst(real.brands), newestFirst(model.brands).reverse(), "the brands");
  same(newestFirst(real.savedAds), newestFirst(model.ads).reverse(), "the ads");
  const states = { queued: 0, processing: 0, completed: 0, failed: 0 };
  for (const job of visibleJobs(rules, model, now)) states[stateOf(rules, job, now).status] += 1;
  const counts = { jobs: states, brands: model.brands.length, savedAds: model.ads.length };
  same(real.counts, counts, `the counts of ${model.key}`);
};

export const requireWorld = (rules: Rules, base: number, world: World, service: MockService) => {
  same(service.clock.now(), base + world.offset, "the service's time");
  same(
    service.accounts.map(({ key }) => key),
    world.accounts.map(({ key }) => key),
    "the accounts",
  );
  for (const model of world.accounts) {
    const now = base + world.offset + model.offset;
    requireAccount(rules, model, now, service.account(model.key));
  }
  const waiting = (plans: readonly { remaining: number; account?: string }[]) =>
    plans.map(({ remaining, account }) => [remaining, account]);
  same(waiting(service.faults.planned), waiting(world.faults), "the planned faults");
  same(waiting(service.jobs.planned), waiting(world.outcomes), "the planned outcomes");
};

/** Checks the past. This costs more than the other checks, so it happens once in a run. */
export const requireHistory = (
  rules: Rules,
  base: number,
  { journal, accounts, offset }: World,
  service: MockService,
): void => {
  for (const account of accounts) {
    const now = base + offset + account.offset;
    for (const job of account.jobs) {
      const { id, charge, isRefunded, submittedAt, polls, request, brand } = job;
      const seen = service.jobs.inspect(id);
      if (isGone(rules, job, now)) {
        same([seen, service.jobs.find(id)], [undefined, undefined], `${id}, which is gone`);
        continue;
      }
      const { startedAt, finishedAt, endedBy } = historyOf(rules, job, now);
      same(
        seen,
        {
          job: service.jobs.find(id),
          account: account.key,
          request,
          brand,
          cost: charge && {
            credit: charge.credit,
            amount: 0 - charge.monthly - charge.purchased,
            monthly: 0 - charge.monthly,
            purchased: 0 - charge.purchased,
            refunded: isRefunded,
          },
          submittedAt,
          startedAt,
          finishedAt,
          polls: polls.length,
          endedBy,
        },
        `all about ${id}`,
      );
    }
  }
  same(
    service.journal.entries.map(({ number, operation, accepted, fault, answer }) => [
      number,
      operation,
      accepted,
      fault?.kind,
      answer?.status,
    ]),
    journal.map(({ number, operation, accepted, fault, status }) => [
      number,
      operation,
      accepted,
      fault,
      status,
    ]),
    "the journal",
  );
};
