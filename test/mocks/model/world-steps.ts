import { expect } from "vitest";
import type { ForcedEnd } from "../../../mocks/domain/job-timeline.ts";
import type { JobOutcome, MockFault, MockService, MockSnapshot } from "../../../mocks/index.ts";
import { accountAt, ask, at, type Bench, keyOf, same } from "./bench.ts";
import { expiryMs, isFinished, monthsAfter, payBack, settle, stateOf } from "./passing-time.ts";
import { type Place, resolve } from "./steps.ts";
import {
  type Credit,
  type Credits,
  grantCredits,
  type ModelAccount,
  type ModelPlan,
  openAccount,
  openWorld,
  type Pots,
  setPots,
} from "./world.ts";

export type Whose = number | "service";

const ownerOf = (service: MockService, whose: Whose) =>
  whose === "service" ? service : service.account(keyOf(whose));

/** Plans an outcome or a fault, by the service or by one account. */
const plan = <What>(
  plans: ModelPlan<What>[],
  planned: ModelPlan<What>,
  through: Whose,
  act: (what: What, options: object) => void,
  field: "action" | "operation",
): void => {
  const { what, remaining, only, account } = planned;
  const mine = through === "service" && account !== undefined ? { account } : {};
  act(what, { times: remaining, ...(only !== undefined && { [field]: only }), ...mine });
  const key = through === "service" ? account : keyOf(through);
  plans.push({ ...structuredClone(planned), ...(key !== undefined && { account: key }) });
};

export const planNext = (
  { service, world }: Bench,
  outcome: ModelPlan<JobOutcome>,
  through: Whose,
) => plan(world.outcomes, outcome, through, ownerOf(service, through).jobs.next, "action");

export const play = ({ service, world }: Bench, fault: ModelPlan<MockFault>, through: Whose) =>
  plan(world.faults, fault, through, ownerOf(service, through).faults.play, "operation");

export const clearPlans = (
  { service, world }: Bench,
  kind: "faults" | "outcomes",
  whose: Whose,
): void => {
  const { faults, jobs } = ownerOf(service, whose);
  if (kind === "faults") faults.clear();
  else jobs.clearPlanned();
  const isLeft = ({ account }: ModelPlan) => whose !== "service" && account !== keyOf(whose);
  world.faults = world.faults.filter((fault) => kind !== "faults" || isLeft(fault));
  world.outcomes = world.outcomes.filter((outcome) => kind !== "outcomes" || isLeft(outcome));
};

export const endJob = (bench: Bench, place: Place, forced: ForcedEnd) => {
  const { rules, service } = bench;
  const { owner, id } = resolve(bench, place, "jobs");
  const { account, now } = at(bench, owner);
  const end = () => {
    if (forced.status === "completed") service.jobs.complete(id, forced.result);
    else if (forced.status === "failed") service.jobs.fail(id, forced.error);
    else service.jobs.expire(id);
  };
  settle(rules, account, now);
  const job = account.jobs.find((one) => one.id === id);
  if (job === undefined || isFinished(stateOf(rules, job, now))) return expect(end).toThrow(Error);
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
  real[how](credit, pots);
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
  world.outcomes = world.outcomes.filter(({ account }) => account !== key);
  world.faults = world.faults.filter(({ account }) => account !== key);
  world.journal = world.journal.filter((exchange) => exchange.key !== key);
};

export const reset = (bench: Bench, whose: Whose) => {
  const { rules, service } = bench;
  ownerOf(service, whose).reset();
  if (whose !== "service") {
    return openAgain(bench, whose, rules.accounts[keyOf(whose)]?.credits ?? {});
  }
  const { accounts, requests } = bench.world;
  const lives = new Map(accounts.map((account) => [account.key, nextLife(bench, account)]));
  bench.world = openWorld(rules, bench.base.now());
  bench.world.requests = requests;
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
};

export const restore = (bench: Bench): void => {
  const { saved, service, base } = bench;
  if (saved === undefined) return;
  const taken: MockSnapshot = JSON.parse(saved.text);
  service.restore(taken);
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
