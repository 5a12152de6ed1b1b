import { expect } from "vitest";
import type { MockSnapshot } from "../../../mocks/index.ts";
import { accountAt, ask, asPlayed, type Bench, forgetSeen, same, tenants } from "./bench.ts";
import { expiryMs, isFinished, monthsAfter, payBack, settle, stateOf } from "./passing-time.ts";
import { keyOf, nowOf, type Place, resolve, type Step, shown, step } from "./steps.ts";
import {
  type Credit,
  type Credits,
  type Forced,
  grantCredits,
  type ModelAccount,
  type ModelFault,
  type ModelOutcome,
  openAccount,
  openWorld,
  type Pots,
  setPots,
} from "./world.ts";

/** `through`: the service's `jobs.next`, or that of one account. */
export const planNext = (outcome: ModelOutcome, through: number | undefined): Step =>
  step(`next(${shown(outcome)}, ${through})`, (bench) => {
    const { plan, remaining, action, account } = outcome;
    const options = { times: remaining, ...(action !== undefined && { action }) };
    const key = through === undefined ? account : keyOf(through);
    if (through !== undefined) bench.service.account(keyOf(through)).jobs.next(plan, options);
    else bench.service.jobs.next(plan, { ...options, ...(account !== undefined && { account }) });
    const planned = { ...structuredClone(outcome), ...(key !== undefined && { account: key }) };
    bench.world.outcomes.push(planned);
  });

export const endJob = (pick: Place, forced: Forced, isSeen: boolean): Step =>
  step(
    `end(${shown(pick)}, ${shown(forced)}, ${isSeen})`,
    (bench) => {
      const { rules, service } = bench;
      const { owner, id } = resolve(bench, pick, "jobs");
      const account = accountAt(bench, owner);
      const now = nowOf(bench, owner);
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

export const grant = (tenant: number, credit: Credit, pots: Partial<Pots>): Step =>
  step(`grant(${tenant}, ${credit}, ${shown(pots)})`, (bench) => {
    bench.service.account(keyOf(tenant)).grant(credit, pots);
    const [account, now] = [accountAt(bench, tenant), nowOf(bench, tenant)];
    settle(bench.rules, account, now);
    grantCredits(account, now, credit, pots);
  });

export const setCredits = (tenant: number, credit: Credit, pots: Partial<Pots>): Step =>
  step(`setCredits(${tenant}, ${credit}, ${shown(pots)})`, (bench) => {
    bench.service.account(keyOf(tenant)).setCredits(credit, pots);
    const [account, now] = [accountAt(bench, tenant), nowOf(bench, tenant)];
    settle(bench.rules, account, now);
    setPots(account, now, credit, pots, "adjustment");
  });

export type Whose = number | "service" | "base";

const move = (bench: Bench, whose: Whose, ms: number): void => {
  if (whose === "base") bench.base.time += ms;
  else if (whose === "service") {
    bench.service.clock.advance(ms);
    bench.world.offset += ms;
  } else {
    bench.service.account(keyOf(whose)).clock.advance(ms);
    accountAt(bench, whose).offset += ms;
  }
};

export const passTime = (whose: Whose, ms: number, isSeen: boolean): Step =>
  step(`passTime(${whose}, ${ms}, ${isSeen})`, (bench) => move(bench, whose, ms), isSeen);

/** To a moment of a tenant's own time, by its own clock or by the service's. */
const moveTo = (bench: Bench, tenant: number, time: number, byService: boolean): void => {
  const ms = time - nowOf(bench, tenant);
  if (ms >= 0) move(bench, byService ? "service" : tenant, ms);
};

/** To the moment at which a job expires, or near it. */
export const passUntilExpiry = (
  pick: Place,
  more: number,
  byService: boolean,
  isSeen: boolean,
): Step =>
  step(
    `passUntilExpiry(${shown(pick)}, ${more}, ${byService}, ${isSeen})`,
    (bench) => {
      const { owner, id } = resolve(bench, pick, "jobs");
      const job = accountAt(bench, owner).jobs.find((one) => one.id === id);
      if (job) moveTo(bench, owner, job.submittedAt + expiryMs + more, byService);
    },
    isSeen,
  );

/** To the moment at which an account's monthly credits come anew, or near it. */
export const passUntilRenewal = (
  tenant: number,
  more: number,
  byService: boolean,
  isSeen: boolean,
): Step =>
  step(
    `passUntilRenewal(${tenant}, ${more}, ${byService}, ${isSeen})`,
    (bench) => {
      const { openedAt, renewals } = accountAt(bench, tenant);
      moveTo(bench, tenant, monthsAfter(openedAt, renewals + 1) + more, byService);
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
  const { world, base, ledgers, ranks } = bench;
  const key = keyOf(tenant);
  const closed = accountAt(bench, tenant);
  ledgers.delete(key);
  for (const { id } of closed.jobs) ranks.delete(id);
  const opened = openAccount(key, credits, base.time + world.offset, nextLife(bench, closed));
  world.accounts.splice(world.accounts.indexOf(closed), 1, opened);
  world.outcomes = world.outcomes.filter(({ account }) => account !== key);
  world.faults = world.faults.filter(({ account }) => account !== key);
  world.journal = world.journal.filter((exchange) => exchange.key !== key);
};

export const reset = (whose: number | "service"): Step =>
  step(`reset(${whose})`, (bench) => {
    const { rules, service } = bench;
    if (whose !== "service") {
      service.account(keyOf(whose)).reset();
      return openAgain(bench, whose, rules.accounts[keyOf(whose)]?.credits ?? {});
    }
    service.reset();
    const { accounts, requests } = bench.world;
    const lives = new Map(accounts.map((account) => [account.key, nextLife(bench, account)]));
    bench.world = openWorld(rules, bench.base.time);
    bench.world.requests = requests;
    for (const account of bench.world.accounts) account.life = lives.get(account.key) ?? 0;
    forgetSeen(bench);
  });

/** Removes an account, and opens it again with other credits: it comes last of all then. */
export const removeAndAdd = (tenant: number, credits: Credits): Step =>
  step(`removeAndAdd(${tenant}, ${shown(credits)})`, async (bench) => {
    const key = keyOf(tenant);
    const view = bench.service.account(key);
    expect([bench.service.removeAccount(key), bench.service.removeAccount(key)]).toEqual([
      true,
      false,
    ]);
    openAgain(bench, tenant, credits);
    const { accounts } = bench.world;
    accounts.push(...accounts.splice(accounts.indexOf(accountAt(bench, tenant)), 1));
    expect(() => view.credits).toThrow(`The mock has no account "${key}" any more`);
    await ask(bench, { tenant: undefined, operation: "jobs.list" }, () => ({ status: 401 }));
    bench.service.addAccount(key, { credits });
    same(view.credits, bench.service.account(key).credits, "a view that a test has kept");
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
    forgetSeen(bench);
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

export const play = (fault: ModelFault, through: number | undefined): Step =>
  step(`play(${shown(fault)}, ${through})`, (bench) => {
    const { remaining: times, operation, account } = fault;
    const options = { times, ...(operation !== undefined && { operation }) };
    const key = through === undefined ? account : keyOf(through);
    if (through !== undefined) {
      bench.service.account(keyOf(through)).faults.play(asPlayed(fault), options);
    } else {
      const whose = account === undefined ? {} : { account };
      bench.service.faults.play(asPlayed(fault), { ...options, ...whose });
    }
    bench.world.faults.push({ ...fault, ...(key !== undefined && { account: key }) });
  });

export const clearFaults = (whose: number | "service"): Step =>
  step(`clearFaults(${whose})`, ({ service, world }) => {
    if (whose === "service") service.faults.clear();
    else service.account(keyOf(whose)).faults.clear();
    world.faults = world.faults.filter(
      ({ account }) => whose !== "service" && account !== tenants[whose],
    );
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
