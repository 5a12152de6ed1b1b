import { expect } from "vitest";
import type { MockFault, MockService, MockSnapshot } from "../../../mocks/index.ts";
import { accountAt, ask, type Bench, keyOf, same, timeOf } from "./bench.ts";
import { expiryMs, isFinished, monthsAfter, payBack, settle, stateOf } from "./passing-time.ts";
import { type Place, resolve, type Step, shown, step } from "./steps.ts";
import {
  type Credit,
  type Credits,
  type End,
  type Forced,
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

export const planNext = (outcome: ModelPlan<End>, through: Whose): Step =>
  step(`next(${shown(outcome)}, ${through})`, ({ service, world }) =>
    plan(world.outcomes, outcome, through, ownerOf(service, through).jobs.next, "action"),
  );

export const play = (fault: ModelPlan<MockFault>, through: Whose): Step =>
  step(`play(${shown(fault)}, ${through})`, ({ service, world }) =>
    plan(world.faults, fault, through, ownerOf(service, through).faults.play, "operation"),
  );

export const clearPlans = (kind: "faults" | "outcomes", whose: Whose): Step =>
  step(`clear(${kind}, ${whose})`, ({ service, world }) => {
    const { faults, jobs } = ownerOf(service, whose);
    if (kind === "faults") faults.clear();
    else jobs.clearPlanned();
    const isLeft = ({ account }: ModelPlan) => whose !== "service" && account !== keyOf(whose);
    world.faults = world.faults.filter((fault) => kind !== "faults" || isLeft(fault));
    world.outcomes = world.outcomes.filter((outcome) => kind !== "outcomes" || isLeft(outcome));
  });

export const endJob = (place: Place, forced: Forced, isSeen: boolean): Step =>
  step(
    `end(${shown(place)}, ${shown(forced)}, ${isSeen})`,
    (bench) => {
      const { rules, service } = bench;
      const { owner, id } = resolve(bench, place, "jobs");
      const account = accountAt(bench, owner);
      const now = timeOf(bench, account);
      const end = () => {
        if (forced.status === "completed") service.jobs.complete(id, forced.result);
        else if (forced.status === "failed") service.jobs.fail(id, forced.error);
        else service.jobs.expire(id);
      };
      settle(rules, account, now);
      const job = account.jobs.find((one) => one.id === id);
      if (job === undefined || isFinished(stateOf(rules, job, now))) {
        expect(end).toThrow(Error);
        return;
      }
      end();
      job.forced = { ...forced, at: now };
      if (forced.status !== "completed") payBack(rules, account, job, now);
    },
    isSeen,
  );

export const changeCredits = (
  how: "grant" | "setCredits",
  tenant: number,
  credit: Credit,
  pots: Partial<Pots>,
): Step =>
  step(`${how}(${tenant}, ${credit}, ${shown(pots)})`, (bench) => {
    bench.service.account(keyOf(tenant))[how](credit, pots);
    const account = accountAt(bench, tenant);
    const now = timeOf(bench, account);
    settle(bench.rules, account, now);
    if (how === "grant") grantCredits(account, now, credit, pots);
    else setPots(account, now, credit, pots, "adjustment");
  });

const move = (bench: Bench, whose: Whose | "base", ms: number): void => {
  if (whose === "base") bench.base.time += ms;
  else {
    ownerOf(bench.service, whose).clock.advance(ms);
    const moved = whose === "service" ? bench.world : accountAt(bench, whose);
    moved.offset += ms;
  }
};

export const passTime = (whose: Whose | "base", ms: number, isSeen: boolean): Step =>
  step(`passTime(${whose}, ${ms}, ${isSeen})`, (bench) => move(bench, whose, ms), isSeen);

/** To the moment at which a job expires, or monthly credits come anew, or near it. */
export const passUntil = (
  what: "expiry" | "renewal",
  place: Place,
  more: number,
  byService: boolean,
  isSeen: boolean,
): Step =>
  step(
    `passUntil(${what}, ${shown(place)}, ${more}, ${byService}, ${isSeen})`,
    (bench) => {
      const { owner, id } = resolve(bench, place, "jobs");
      const account = accountAt(bench, owner);
      const { jobs, openedAt, renewals } = account;
      const job = jobs.find((one) => one.id === id);
      const moment =
        what === "renewal"
          ? monthsAfter(openedAt, renewals + 1)
          : (job?.submittedAt ?? 0) + expiryMs;
      const ms = moment + more - timeOf(bench, account);
      if (ms >= 0) move(bench, byService ? "service" : owner, ms);
    },
    isSeen,
  );

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
  const opened = openAccount(key, credits, base.time + world.offset, nextLife(bench, closed));
  world.accounts.splice(world.accounts.indexOf(closed), 1, opened);
  world.outcomes = world.outcomes.filter(({ account }) => account !== key);
  world.faults = world.faults.filter(({ account }) => account !== key);
  world.journal = world.journal.filter((exchange) => exchange.key !== key);
};

export const reset = (whose: Whose): Step =>
  step(`reset(${whose})`, (bench) => {
    const { rules, service } = bench;
    ownerOf(service, whose).reset();
    if (whose !== "service") {
      return openAgain(bench, whose, rules.accounts[keyOf(whose)]?.credits ?? {});
    }
    const { accounts, requests } = bench.world;
    const lives = new Map(accounts.map((account) => [account.key, nextLife(bench, account)]));
    bench.world = openWorld(rules, bench.base.time);
    bench.world.requests = requests;
    for (const account of bench.world.accounts) account.life = lives.get(account.key) ?? 0;
  });

/** Removes an account, and opens it again with other credits: it comes last of all then. */
export const removeAndAdd = (tenant: number, credits: Credits): Step =>
  step(`removeAndAdd(${tenant}, ${shown(credits)})`, async (bench) => {
    const key = keyOf(tenant);
    const { service } = bench;
    const view = service.account(key);
    same([service.removeAccount(key), service.removeAccount(key)], [true, false], "removed");
    openAgain(bench, tenant, credits);
    const { accounts } = bench.world;
    accounts.push(...accounts.splice(accounts.indexOf(accountAt(bench, tenant)), 1));
    expect(() => view.credits).toThrow(`The mock has no account "${key}" any more`);
    service.addAccount(key, { credits });
    same(view.credits, service.account(key).credits, "a view that a test has kept");
  });

export const takeSnapshot = (): Step =>
  step("snapshot()", (bench) => {
    const { service, world, base } = bench;
    const snapshot = service.snapshot();
    expect(snapshot.at).toBe(base.time + world.offset);
    const text = JSON.stringify(snapshot);
    bench.saved = { text, world: structuredClone(world), at: base.time + world.offset };
  });

export const restore = (): Step =>
  step("restore()", (bench) => {
    const { saved, service, base } = bench;
    if (saved === undefined) return;
    const snapshot: MockSnapshot = JSON.parse(saved.text);
    service.restore(snapshot);
    expect(JSON.stringify(service.snapshot())).toBe(saved.text);
    bench.world = structuredClone(saved.world);
    bench.world.offset = saved.at - base.time;
  });

/** Forks the service. The run looks once more at the other one at its end. */
export const fork = (goOn: "fork" | "original"): Step =>
  step(`fork(${goOn})`, (bench) => {
    const { service, world, left } = bench;
    const forked = service.fork();
    left.push({ service: goOn === "fork" ? service : forked, world: structuredClone(world) });
    if (goOn === "original") return;
    bench.service = forked;
    bench.lives = new Map(world.accounts.map(({ key, life }) => [key, life]));
  });

/** Asks for something that the service refuses before it does anything. */
export const refused = (tenant: number | undefined, how: "path" | "not-json" | "list"): Step =>
  step(`refused(${tenant}, ${how})`, (bench) => {
    const operation = how === "path" ? undefined : "jobs.submit";
    const body = how === "not-json" ? "{" : [];
    const error = {
      path: "Endpoint not found",
      "not-json": "Request body must be valid JSON",
      list: "Request body must be a JSON object",
    }[how];
    const status = how === "path" ? 404 : 400;
    return ask(bench, { tenant, operation, body }, () => ({ status, error }));
  });
