import { expect } from "vitest";
import {
  createManualClock,
  createMockService,
  type ManualClock,
  type MockFault,
  type MockService,
} from "../../../mocks/index.ts";
import { type EndpointName, endpoints } from "../../../src/contract/endpoint.ts";
import { type ModelAccount, openWorld, type Rules, takePlans, type World } from "./world.ts";

/** The service that is tested, and what is expected of it. */
export interface Bench {
  readonly rules: Rules;
  /** The clock that the service was given; the service never moves it. */
  readonly base: Pick<ManualClock, "now" | "advance"> & {
    readonly clock: Pick<ManualClock, "now">;
  };
  service: MockService;
  world: World;
  /** Services that were forked, and are not used any more: nothing may happen to them. */
  readonly left: { service: MockService; world: World }[];
  saved: { text: string; world: World; at: number } | undefined;
  /** Ids of everything that was made, by the name of the thing. */
  readonly ids: Map<string, string>;
  /** Highest number of closed accounts by key: a reset never gives ids a second time. */
  lives: Map<string, number>;
}

/** A clock that a test moves, or one that only tells the time. */
const createBase = ({ start, isClockManual }: Rules): Bench["base"] => {
  const manual = createManualClock(start);
  return {
    clock: isClockManual ? manual : { now: () => manual.now() },
    now: manual.now,
    advance: manual.advance,
  };
};

export const createBench = (rules: Rules): Bench => {
  const { start, isClockManual: _, timeline, copyPerPoll, ...options } = rules;
  const base = createBase(rules);
  const mixed = { "generate-ad-copy": "per-poll" as const, default: timeline };
  const given = structuredClone({
    ...options,
    timeline: timeline !== "per-poll" && copyPerPoll ? mixed : timeline,
  });
  const service = createMockService({ ...given, clock: base.clock, artwork: "served" });
  spoil(given);
  const world = openWorld(rules, start);
  const seen = { left: [], saved: undefined, ids: new Map(), lives: new Map() };
  return { rules, base, service, world, ...seen };
};

export const tenants = ["test-a", "test-b", "test-c"] as const;

export const keyOf = (tenant: number): string => tenants[tenant] ?? "";

export type Whose = number | "service";

export const ownerOf = (service: MockService, whose: Whose) =>
  whose === "service" ? service : service.account(keyOf(whose));

export const accountAt = ({ world }: Bench, tenant: number): ModelAccount => {
  const account = world.accounts.find(({ key }) => key === tenants[tenant]);
  if (account === undefined) throw new Error(`There is no tenant ${tenant}`);
  return account;
};

/** A tenant's account in both, and its time. */
export const at = (bench: Bench, tenant: number) => {
  const account = accountAt(bench, tenant);
  const now = bench.base.now() + bench.world.offset + account.offset;
  return { account, now, real: bench.service.account(account.key) };
};

/** `toEqual` for what differs; what is the same is seen sooner by its text. */
export const same = (actual: unknown, expected: unknown, what: string): void => {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    expect(actual, what).toStrictEqual(expected);
  }
};

/** Changes all of what a test has handed in or got, which must change nothing of the service. */
export const spoil = (value: unknown): void => {
  if (typeof value !== "object" || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    spoil(part);
    Reflect.set(value, name, "spoilt");
  }
  if (Array.isArray(value)) Reflect.set(value, "length", 0);
};

/** Answer that the service should give, after the model has done the same. */
export interface Expected {
  readonly status: number;
  readonly error?: string;
  /** Looks at the answer's data. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a JavaScript user would
  readonly check?: (data: any, headers: Headers) => void;
  /** Something was made: its id comes from the service, whether its answer arrives or not. */
  readonly made?: { readonly kind: "job" | "brand" | "ad"; readonly take: (id: string) => void };
}

export interface Asked {
  /** `undefined` for a key that is nobody's. */
  readonly tenant: number | undefined;
  /** `undefined` for a path that the API does not have. */
  readonly operation: EndpointName | undefined;
  readonly id?: string;
  readonly limit?: number | undefined;
  /** Text is sent as it is. */
  readonly body?: unknown;
}

/** The n-th thing of an account has the same id in every run, after a restore, and in a fork. */
const idOfName = new Map<string, string>();

/** Checks that a thing has the id of its name, and that no other thing has it. */
const requireId = ({ ids }: Bench, name: string, id: string): void => {
  expect(id, name).toMatch(/^(job|brand|ad|req)_[0-9a-z]{14}$/);
  expect(id, name).toBe(idOfName.get(name) ?? id);
  idOfName.set(name, id);
  const others = [...ids].filter(([other, taken]) => taken === id && other !== name);
  expect(others, `${name} is ${id}, too`).toEqual([]);
  ids.set(name, id);
};

/** @returns the id of what was made */
const takeMade = (bench: Bench, tenant: number, made: Expected["made"], answered: unknown) => {
  if (made === undefined) return undefined;
  const { account, real } = at(bench, tenant);
  const { jobs, brands, savedAds } = real;
  const newest = { job: jobs.latest(1)[0]?.job_id, brand: brands[0]?.id, ad: savedAds[0]?.id };
  const id = newest[made.kind] ?? "";
  if (answered !== undefined) expect(answered).toBe(id);
  account.issued[made.kind] += 1;
  requireId(bench, `${account.key} ${account.life} ${made.kind} ${account.issued[made.kind]}`, id);
  made.take(id);
  return id;
};

/** Method, path with its query, and text of the body. */
const write = ({ operation, id = "", limit, body }: Asked) => {
  const { method, path } = operation
    ? endpoints[operation]
    : { method: "POST", path: "/v1/nothing" };
  return {
    method,
    path: path.replace(":id", id) + (limit === undefined ? "" : `?limit=${limit}`),
    text: typeof body === "string" ? body : JSON.stringify(body),
  };
};

interface Sent {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

const send = async (
  bench: Bench,
  key: string,
  { method, path, text }: ReturnType<typeof write>,
): Promise<Sent | { error: unknown }> => {
  const headers = { authorization: `Bearer ${key}` };
  const init = { method, headers, ...(text !== undefined && { body: text }) };
  try {
    const response = await bench.service.fetch(`https://ads.test${path}`, init);
    return { status: response.status, text: await response.text(), headers: response.headers };
  } catch (error) {
    return { error };
  }
};

/** The service's own answer. @returns the id that it told */
const requireAnswer = ({ status, headers, text }: Sent, expected: Expected): unknown => {
  const envelope = JSON.parse(text);
  same([status, headers.get("content-type")], [expected.status, "application/json"], text);
  if (expected.error !== undefined) {
    same(envelope, { success: false, data: null, error: expected.error }, text);
    return undefined;
  }
  same(envelope, { success: true, data: envelope.data, error: null }, text);
  return envelope.data.job_id ?? envelope.data.id;
};

const requireFault = ({ status, text }: Sent, fault: MockFault): void => {
  const statuses = {
    "rate-limit": 429,
    html: 502,
    ...("status" in fault && { status: fault.status }),
  };
  if (fault.kind === "wrong-json") expect(() => JSON.parse(text)).toThrow(SyntaxError);
  else same(status, statuses[fault.kind as keyof typeof statuses], text);
};

const isAccepted = (fault: MockFault): boolean =>
  "accepted" in fault ? fault.accepted === true : fault.kind === "wrong-json";

/** One request to both; `carryOut` is what the model does with it. */
export const ask = async (
  bench: Bench,
  asked: Asked,
  carryOut: (account: ModelAccount, now: number) => Expected,
): Promise<void> => {
  const { world, base } = bench;
  const { tenant, operation, limit, body } = asked;
  const serviceNow = base.now() + world.offset;
  const key = tenant === undefined ? "test-nobody" : keyOf(tenant);
  world.requests += 1;
  // A request that asks for nothing of the API meets no fault.
  const { taken: fault, beside } = operation
    ? takePlans(world.plans.fault, operation, key, ({ kind }) => kind === "latency")
    : {};
  const accepted = fault === undefined || isAccepted(fault);
  const answer = (): Expected => {
    if (tenant === undefined) return { status: 401, error: "API key invalid or missing" };
    if (limit !== undefined && limit < 1) {
      return { status: 400, error: "Invalid parameter limit: expected a positive integer" };
    }
    const { account, now } = at(bench, tenant);
    return carryOut(account, now);
  };
  const expected = accepted ? answer() : undefined;

  const written = write(asked);
  const sent = await send(bench, key, written);
  if ("error" in sent) {
    if (fault?.kind !== "reset") throw sent.error;
    expect(sent.error).toBeInstanceOf(TypeError);
  } else {
    requireId(bench, `request ${world.requests}`, sent.headers.get("x-request-id") ?? "");
    if (fault !== undefined) requireFault(sent, fault);
  }
  const whole = "error" in sent || fault !== undefined ? undefined : sent;
  const answered = whole && expected && requireAnswer(whole, expected);
  const { made } = expected ?? {};
  const id = tenant === undefined ? undefined : takeMade(bench, tenant, made, answered);
  if (whole && whole.status < 400) {
    expected?.check?.(JSON.parse(whole.text).data, whole.headers);
  }
  const status = "error" in sent ? undefined : sent.status;
  world.journal.push({
    ...{ key, number: world.requests, operation, body, accepted, status },
    ...{ method: written.method, path: written.path, fault: (fault ?? beside)?.kind },
    at: tenant === undefined ? serviceNow : at(bench, tenant).now,
    jobId: operation === "jobs.get" ? asked.id : made?.kind === "job" ? id : undefined,
  });
  if (world.journal.length > bench.rules.journalLimit) {
    world.forgotten.push(...world.journal.splice(0, 1));
  }
};
