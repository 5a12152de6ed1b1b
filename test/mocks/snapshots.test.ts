import { describe, expect, test } from "vitest";
import { createMockService, type MockService, type MockSnapshot } from "../../mocks/index.ts";
import { createAsk } from "./ask.ts";
import { setUp as createSetUp, minute } from "./set-up.ts";

const accounts = { "test-key": {}, "test-b": { credits: { image: { monthly: 3, purchased: 2 } } } };

const setUp = () => createSetUp({ accounts, refundFailedJobs: true });

/** A world with something of everything, in the middle of it all. */
const live = async (service: MockService): Promise<void> => {
  const ask = createAsk(service);
  const poor = createAsk(service, "test-b");
  const brand = (await ask("POST", "/v1/brands", { name: "Acme", colors: ["#f00"] })).data;
  const gone = (await ask("POST", "/v1/brands", { name: "Gone" })).data;
  for (const { id } of [brand, gone]) await ask("POST", "/v1/saved-ads", { brand_id: id, n: 1 });
  await ask("DELETE", `/v1/brands/${gone.id}`);
  service.jobs.next({ fail: "planned" }, { action: "edit-ad" });
  service.jobs.next({ result: [1] }, { times: Number.POSITIVE_INFINITY, account: "test-b" });
  const first = await ask("POST", "/v1/jobs", { action: "copy-ad", brand_id: brand.id });
  await ask("GET", `/v1/jobs/${first.data.job_id}`);
  service.jobs.next({ takesMs: 600_000 }, { body: { prompt: "slow" } });
  await ask("POST", "/v1/jobs", { action: "edit-ad", prompt: "slow" });
  await ask("POST", "/v1/jobs", { action: "video-a-2", duration: 2.5 });
  const failed = await poor("POST", "/v1/jobs", { action: "generate-ad", variations: 4 });
  service.jobs.fail(failed.data.job_id, "moderation");
  await poor("POST", "/v1/jobs", { action: "generate-ad", variations: 10 });
  service.account("test-b").clock.advance(5_000);
  service.faults.play({ kind: "status", status: 503 }, { times: 3, probability: 0.5 });
  service.faults.play({ kind: "latency", ms: 0 }, { times: Number.POSITIVE_INFINITY });
  await ask("GET", "/v1/jobs");
};

/** Goes on with both accounts, and gives everything that a state could show, answers included. */
const goOn = async (service: MockService): Promise<unknown> => {
  for (const account of service.accounts) {
    const ask = createAsk(service, account.key);
    for (let count = 0; count < 4; count += 1) await ask("GET", "/v1/jobs");
    await ask("POST", "/v1/jobs", { action: "edit-ad" });
    for (const { job_id } of account.jobs.all) await ask("GET", `/v1/jobs/${job_id}`);
    for (const { id } of account.brands) await ask("GET", `/v1/brands/${id}/ads`);
    await ask("POST", "/v1/brands", { name: "Next" });
    for (const minutes of [11, 40 * 24 * 60]) {
      service.clock.advance(minutes * minute);
      expect(account.ledger.length).toBeGreaterThan(2);
    }
  }
  const charges = service.accounts.map((account) => account.charges);
  return { charges, faults: service.faults.planned, snapshot: service.snapshot() };
};

test("a snapshot is plain JSON, from which any service goes on to the same byte", async () => {
  const { service } = setUp();
  await live(service);
  const text = JSON.stringify(service.snapshot());
  const [fork, twin] = [service.fork(), setUp().service];
  const clock = { now: () => 0 };
  const other = createMockService({ refundFailedJobs: true, seed: "other", clock });
  other.restore(JSON.parse(text));
  const first = await goOn(service);
  service.restore(JSON.parse(text));
  // The same acts give the same answers, and the same state.
  await live(twin);
  for (const same of [service, other, fork, twin]) expect(await goOn(same)).toEqual(first);
});

test("a snapshot repeats no id in a fork that goes back behind a reset", async () => {
  const { service, submit } = setUp();
  await submit();
  service.reset();
  await submit();
  const before = service.snapshot();
  service.reset();
  const fork = service.fork();
  const ask = createAsk(fork);
  const first = await ask("POST", "/v1/jobs", { action: "copy-ad" });
  fork.restore(before);
  fork.reset();
  const second = await ask("POST", "/v1/jobs", { action: "copy-ad" });
  expect(second.data.job_id).not.toBe(first.data.job_id);
});

test("an account and a fault from a snapshot cannot be changed through what they return", async () => {
  const { service } = setUp();
  await live(service);
  service.restore(service.snapshot());
  expect(Object.isFrozen(service.faults.planned[0]?.fault)).toBe(true);
  expect(service.account("test-key").ledger.every(Object.isFrozen)).toBe(true);
});

describe("restore refuses other JSON, and changes nothing:", () => {
  test.each<[words: string, make: (snapshot: object) => unknown]>([
    ["snapshot.version must be 2; it is missing", () => ({})],
    ["snapshot.version must be 2; it is 1", (snapshot) => ({ ...snapshot, version: 1 })],
    ['snapshot must be an object with the version 2; it is "text"', () => "text"],
    ["snapshot must be JSON", () => 5n],
    ["snapshot.at must be milliseconds since 1970", (snapshot) => ({ ...snapshot, at: 1e300 })],
    ["snapshot.accounts must be a list of objects", (all) => ({ ...all, accounts: {} })],
    ["snapshot must be as `snapshot()` has written it", (all) => ({ ...all, accounts: [{}] })],
    ["snapshot must be as `snapshot()` has written it", (all) => ({ ...all, faults: [] })],
    ["snapshot must be as `snapshot()` has written it", (all) => ({ ...all, closed: null })],
  ])("%s", async (words, make) => {
    const { service } = setUp();
    await live(service);
    const before = service.snapshot();
    const restore = () => service.restore(make(before) as MockSnapshot);
    expect(restore).toThrow(words);
    expect(restore).toThrow(TypeError);
    expect(service.snapshot()).toEqual(before);
  });
});
