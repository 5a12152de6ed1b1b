import { expect } from "vitest";
import type { ForcedEnd } from "../../../mocks/domain/job-timeline.ts";
import type { JobOutcome, MockFault, MockSnapshot } from "../../../mocks/index.ts";
import {
  accountAt,
  ask,
  at,
  type Bench,
  keyOf,
  ownerOf,
  same,
  spoil,
  type Whose,
} from "./bench.ts";
import { shownPlans } from "./invariants.ts";
import { expiryMs, isFinished, monthsAfter, payBack, settle, stateOf } from "./passing-time.ts";
import { type Place, resolve } from "./steps.ts";
import {
  type Credit,
  type Credits,
  clearExchanges,
  type GivenPlan,
  grantCredits,
  type ModelAccount,
  type ModelPlans,
  openAccount,
  openWorld,
  type Pots,
  setPots,
} from "./world.ts";

/** Plans faults or outcomes, by the service or by one account. */
export const plan = (
  { service, world }: Bench,
  kind: keyof ModelPlans,
  given: readonly GivenPlan<MockFault | JobOutcome>[],
  through: Whose,
): void => {
  const { faults, jobs } = ownerOf(service, through);
  const act: (what: never, options: object) => object = kind === "fault" ? faults.play : jobs.next;
  for (const one of given) {
    const { what, times, only, account } = structuredClone(one);
    const key = through === "service" ? account : keyOf(through);
    const own = structuredClone({
      what,
      times,
      ...(only && { only }),
      ...(key && { account: key }),
    });
    world.plansIssued[kind] += 1;
    (world.plans[kind] as object[]).push({ ...own, number: world.plansIssued[kind], done: 0 });
    const options = {
      ...{ times, ...(only && (kind === "fault" ? { operation: only } : { action: only[0] })) },
      // An account's own plans need not name it.
      ...(through === "service" && account && { account }),
    };
    const planned = act(what as never, options);
    same(planned, shownPlans(kind, world.plans[kind]).at(-1), "what was planned");
    spoil([what, options, planned]);
  }
};

/** Takes back one plan, or all of them. */
export const takeBack = (
  { service, world }: Bench,
  kind: keyof ModelPlans,
  whose: Whose,
  number: number | "all",
): void => {
  const { faults, jobs } = ownerOf(service, whose);
  const isLeft = (plan: ModelPlans[typeof kind][number]): boolean =>
    (whose !== "service" && plan.account !== keyOf(whose)) ||
    (number !== "all" && plan.number !== number);
  const { length } = world.plans[kind];
  if (kind === "fault") world.plans.fault = world.plans.fault.filter(isLeft);
  else world.plans.outcome = world.plans.outcome.filter(isLeft);
  const [remove, clear] =
    kind === "fault" ? [faults.remove, faults.clear] : [jobs.removePlanned, jobs.clearPlanned];
  if (number === "all") clear();
  else same(remove(`${kind}_${number}`), world.plans[kind].length < length, "was it there");
};

export const endJob = (bench: Bench, place: Place, forced: ForcedEnd) => {
  const { rules, service } = bench;
  const { owner, id } = resolve(bench, place, "jobs");
  const { account, now } = at(bench, owner);
  const end = () => {
    if (forced.status === "completed") service.jobs.complete(id, forced.result);
    else if (forced.status === "expired") service.jobs.expire(id);
    else if (forced.error === "Generation failed") service.jobs.fail(id);
    else service.jobs.fail(id, forced.error);
  };
  settle(rules, account, now);
  const job = account.jobs.find((one) => one.id === id);
  if (job === undefined) return expect(end).toThrow(`The mock has no job ${id}`);
  if (isFinished(stateOf(rules, job, now))) {
    return expect(end).toThrow(`The job ${id} has finished; nothing can change it any more`);
  }
  end();
  job.forced = { ...forced, at: now };
  if (forced.status !== "completed") payBack(rules, account, job, now);
};

export const changeCredits = (
  bench: Bench,
  how: "grant" | "setCredits",
  tenant: number,
  credit: Credit,
  pots: Partial<Pots>,
): void => {
  const { account, now, real } = at(bench, tenant);
  real[how]({ [credit]: pots });
  settle(bench.rules, account, now);
  if (how === "grant") grantCredits(account, now, credit, pots);
  else setPots(account, now, credit, pots, "adjustment");
};

export const passTime = (bench: Bench, whose: Whose | "base", ms: number): void => {
  if (whose === "base") bench.base.advance(ms);
  else {
    ownerOf(bench.service, whose).clock.advance(ms);
    const moved = whose === "service" ? bench.world : accountAt(bench, whose);
    moved.offset += ms;
  }
};

/** To the moment at which a job expires, or monthly credits come anew, or near it. */
export const passUntil = (
  bench: Bench,
  what: "expiry" | "renewal",
  place: Place,
  more: number,
  byService: boolean,
): void => {
  const { owner, id } = resolve(bench, place, "jobs");
  const { account, now } = at(bench, owner);
  const job = account.jobs.find((one) => one.id === id);
  const renewal = monthsAfter(account.openedAt, account.renewals + 1);
  const moment = what === "renewal" ? renewal : (job?.submittedAt ?? 0) + expiryMs;
  if (moment + more >= now) passTime(bench, byService ? "service" : owner, moment + more - now);
};

/** Counts an account that closes, unless it has made nothing. Gives the number of the next one. */
const nextLife = ({ lives }: Bench, { key, life, issued }: ModelAccount): number => {
  if (issued.job + issued.brand + issued.ad === 0) return life;
  const next = 1 + Math.max(life, lives.get(key) ?? 0);
  lives.set(key, next);
  return next;
};

/** Closes an account with all that is its own, and opens it again. */
const openAgain = (bench: Bench, tenant: number, credits: Credits): void => {
  const { world, base } = bench;
  const key = keyOf(tenant);
  const closed = accountAt(bench, tenant);
  const opened = openAccount(key, credits, base.now() + world.offset, nextLife(bench, closed));
  world.accounts.splice(world.accounts.indexOf(closed), 1, opened);
  const { outcome, fault } = world.plans;
  world.plans = {
    outcome: outcome.filter(({ account }) => account !== key),
    fault: fault.filter(({ account }) => account !== key),
  };
  clearExchanges(world, key);
};

export const reset = (bench: Bench, whose: Whose) => {
  const { rules, service } = bench;
  ownerOf(service, whose).reset();
  if (whose !== "service") {
    return openAgain(bench, whose, rules.accounts[keyOf(whose)]?.credits ?? {});
  }
  const { accounts, requests, plansIssued } = bench.world;
  const lives = new Map(accounts.map((account) => [account.key, nextLife(bench, account)]));
  bench.world = { ...openWorld(rules, bench.base.now()), requests, plansIssued };
  for (const account of bench.world.accounts) account.life = lives.get(account.key) ?? 0;
};

/** Removes an account, and opens it again with other credits: it comes last of all then. */
export const removeAndAdd = (bench: Bench, tenant: number, credits: Credits): void => {
  const { service } = bench;
  const { account, real } = at(bench, tenant);
  const { key } = account;
  same([service.removeAccount(key), service.removeAccount(key)], [true, false], "removed");
  expect(() => real.credits).toThrow(`The mock has no account "${key}" any more`);
  openAgain(bench, tenant, credits);
  const { accounts } = bench.world;
  accounts.push(...accounts.splice(accounts.indexOf(accountAt(bench, tenant)), 1));
  service.addAccount(key, { credits });
  same(real.credits, service.account(key).credits, "a view that a test has kept");
};

export const snapshot = (bench: Bench): void => {
  const { service, world, base } = bench;
  const at = base.now() + world.offset;
  const taken = service.snapshot();
  expect(taken.at).toBe(at);
  bench.saved = { text: JSON.stringify(taken), world: structuredClone(world), at };
  spoil(taken);
};

export const restore = (bench: Bench): void => {
  const { saved, service, base } = bench;
  if (saved === undefined) return;
  const taken: MockSnapshot = JSON.parse(saved.text);
  service.restore(taken);
  spoil(taken);
  expect(JSON.stringify(service.snapshot())).toBe(saved.text);
  bench.world = structuredClone(saved.world);
  bench.world.offset = saved.at - base.now();
};

/** Forks the service. The run looks once more at the other one at its end. */
export const fork = (bench: Bench, goOn: "fork" | "original"): void => {
  const { service, world, left } = bench;
  const forked = service.fork();
  left.push({ service: goOn === "fork" ? service : forked, world: structuredClone(world) });
  if (goOn === "original") return;
  bench.service = forked;
  bench.lives = new Map(world.accounts.map(({ key, life }) => [key, life]));
};

/** Asks for something that the service refuses before it does anything. */
export const refused = (
  bench: Bench,
  tenant: number | undefined,
  how: "path" | "not-json" | "list",
) => {
  const operation = how === "path" ? undefined : "jobs.submit";
  const [body, status, error] = {
    path: [[], 404, "Endpoint not found"] as const,
    "not-json": ["{", 400, "Request body must be valid JSON"] as const,
    list: [[], 400, "Request body must be a JSON object"] as const,
  }[how];
  return ask(bench, { tenant, operation, body }, () => ({ status, error }));
};
