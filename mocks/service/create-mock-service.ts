import { createOffsetClock } from "../domain/clock.ts";
import type { MockFace } from "../faults/fault.ts";
import { createFaults, keepOnly, requirePlayable } from "../faults/planned-faults.ts";
import { exchange, pictureUrl } from "../http/handle-request.ts";
import { readRequest, readSimpleCall, toRequest } from "../http/read-request.ts";
import type { Exchange } from "../http/route.ts";
import { createJournal } from "../journal/journal.ts";
import type { MockServiceOptions } from "../options/options.ts";
import { refusal } from "../options/require.ts";
import {
  type MockServiceConfig,
  resolveAccount,
  resolveOptions,
} from "../options/resolve-options.ts";
import { createJobs, createNext } from "../outcomes/steer-jobs.ts";
import { pictureOf } from "../seeded/results.ts";
import { readSnapshot } from "../world/restore.ts";
import { writeSnapshot } from "../world/snapshot.ts";
import { createWorld, openTenant, type Tenant, timeOf, type World } from "../world/world.ts";
import type { MockAccount } from "./account.ts";
import { createAccount, createAccountClock } from "./create-account.ts";
import { deliver } from "./fetch.ts";
import type { MockService } from "./mock-service.ts";

const createService = (config: MockServiceConfig): MockService => {
  const clock = createOffsetClock(config.clock);
  const faces = new Set<MockFace>();
  /** A request that nobody holds is collected, and then its signal never aborts. */
  const underWay = new Set<Request>();
  let world: World = createWorld(config, clock.now());

  const tenantOf = (key: string): Tenant => {
    const tenant = world.tenants.get(key);
    if (tenant !== undefined) return tenant;
    const keys = [...world.tenants.keys()].join(", ");
    throw new Error(`The mock has no account "${key}"; it has ${keys}`);
  };

  const contextOf = (tenant: Tenant) => ({
    account: tenant.state,
    rules: config.rules,
    now: timeOf(tenant, clock.now()),
    outcomes: world.outcomes,
    pictureUrl: config.artwork === "served" ? pictureUrl("") : undefined,
  });

  const viewOf = (key: string): MockAccount => {
    const tenant = () => tenantOf(key);
    return createAccount({
      key,
      tenant,
      context: () => contextOf(tenant()),
      clock: createAccountClock(clock, tenant),
      next: createNext(() => world.outcomes, tenantOf, key),
      faults: createFaults(() => world.faults, faces, tenantOf, key),
      journal: createJournal(() => world.journal, key),
      reset: () => {
        const { state } = tenant();
        const { faults, journal } = viewOf(key);
        faults.clear();
        journal.clear();
        keepOnly(world.outcomes, ({ account }) => account !== key);
        const credits = config.accounts.get(key) ?? state.starting;
        world.tenants.set(key, openTenant(key, credits, world.seed, clock.now()));
      },
    });
  };

  const views = new Map<string, MockAccount>();
  /** One view a key, for as long as the service lives: who holds one keeps seeing the account. */
  const account = (key: string): MockAccount => {
    tenantOf(key);
    const view = views.get(key) ?? viewOf(key);
    views.set(key, view);
    return view;
  };

  const play = (request: Exchange) => exchange(world, config, clock.now(), request);

  const reply: MockService["reply"] = async (request) => play(await readRequest(request));

  const service: MockService = {
    fetch: async (input, init) => {
      const simple = readSimpleCall(input, init ?? {}, config.baseUrl);
      if (simple !== undefined) return deliver(play(simple), {});
      const request = toRequest(input, init, config.baseUrl);
      underWay.add(request);
      try {
        return await deliver(await reply(request), request);
      } finally {
        underWay.delete(request);
      }
    },
    reply,
    replyNow: (request) => play({ ...request, url: new URL(request.url) }),
    baseUrl: config.baseUrl,
    clock,
    get accounts() {
      return Array.from(world.tenants.keys(), account);
    },
    account,
    addAccount: (key, options = {}) => {
      if (world.tenants.has(key))
        throw refusal(`accounts["${key}"]`, "a key that is not there yet");
      const credits = resolveAccount(key, options, config.apiKeyPrefix);
      world.tenants.set(key, openTenant(key, credits, world.seed, clock.now()));
      return account(key);
    },
    jobs: createJobs(
      () => [...world.tenants.values()].map(contextOf),
      createNext(() => world.outcomes, tenantOf),
    ),
    faults: createFaults(() => world.faults, faces, tenantOf),
    journal: createJournal(() => world.journal),
    artwork: (jobId, variation) => {
      for (const { state } of world.tenants.values()) {
        const job = state.jobs.get(jobId);
        if (job !== undefined) return pictureOf(job, variation);
      }
      return undefined;
    },
    attach: (face) => {
      for (const { fault } of world.faults.planned) requirePlayable(face, fault);
      const attached = { ...face };
      faces.add(attached);
      return () => void faces.delete(attached);
    },
    snapshot: ({ journal = true } = {}) => writeSnapshot(world, clock.now(), journal),
    restore: (snapshot) => {
      const { world: restored, at } = readSnapshot(snapshot, config);
      world = restored;
      clock.offsetMs = at - config.clock.now();
    },
    fork: () => {
      const fork = createService(config);
      fork.restore(service.snapshot());
      return fork;
    },
    reset: () => {
      clock.offsetMs = 0;
      world = createWorld(config, clock.now());
    },
  };
  return service;
};

/**
 * Makes a mock of the whole service: accounts with credits, jobs that move on, brands and ads.
 *
 * @throws TypeError when an option makes no sense; the message names it
 * @example
 * ```ts
 * const service = createMockService();
 * const client = createClient({ baseUrl: "https://ads.test", apiKey: "test-key", fetch: service.fetch });
 * ```
 */
export const createMockService = (options: MockServiceOptions = {}): MockService =>
  createService(resolveOptions(options));
