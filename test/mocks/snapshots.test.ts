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

// biome-ignore lint/suspicious/noExplicitAny: tests break snapshots wherever they like
type Loose = any;

describe("restore refuses a broken snapshot, and changes nothing:", () => {
  const requireRefusal = (service: MockService, snapshot: unknown, message: string): void => {
    const before = JSON.stringify(service.snapshot());
    const restore = () => service.restore(snapshot as MockSnapshot);
    expect(restore).toThrow(message);
    expect(restore).toThrow(TypeError);
    expect(JSON.stringify(service.snapshot())).toBe(before);
  };

  test.each([
    ["snapshot.version must be 1; it is missing", {}],
    ['snapshot must be an object with the version 1; it is "text"', "text"],
    ["snapshot must be JSON", 5n],
  ])("%s", (message, snapshot) => requireRefusal(setUp().service, snapshot, message));

  const count = "must be a whole number, zero or more";
  const twice = "must be a list without two ";
  const first = (part: string) => (snapshot: Loose) => snapshot.accounts[0][part][0];
  test.each<[path: string, value: unknown, message: string]>([
    ["version", 2, "must be 1; it is 2"],
    ["at", "now", "must be "],
    ["at", 1e300, "must be milliseconds since 1970 of a time that a date can hold"],
    ["accounts", {}, "must be a list; it is {}"],
    ["accounts[2]", (snapshot: Loose) => snapshot.accounts[0], `${twice}accounts of the same key`],
    ["accounts[0].jobs[0].polls", -1, `${count}; it is -1`],
    ["accounts[0].jobs[1].polls", "2", `${count}; it is "2"`],
    ["accounts[0].jobs[2].submittedAt", 1e300, "must be milliseconds since 1970"],
    ["accounts[0].jobs[3]", first("jobs"), `${twice}things of the same id`],
    ["accounts[1].jobs[0].action", "dance", "must be one of copy-ad, "],
    ["accounts[1].jobs[0].forced.error", undefined, "must be text; it is missing"],
    ["accounts[0].issued.job", 1, "must be at least the number of jobs; it is 1"],
    ["accounts[0].ledger[0].reason", "gift", "must be one of grant, charge, "],
    ["accounts[1].ledger[2].purchased", 70, "must be a charge of zero credits or less"],
    ["accounts[1].starting.image.monthly", -1, count],
    ["accounts[0].balances.image.monthly", -1, count],
    ["accounts[1].offsetMs", -5, "must be milliseconds, zero or more; it is -5"],
    ["faults.issued", 1, "must be at least the number of every planned fault"],
    ["outcomesIssued", 1, "must be at least the number of every planned outcome"],
    ["faults.planned[0].fault.kind", "fire", "must be one of reset, "],
    ["outcomes[0].end", {}, "must be an object of fail, result or takesMs; it is {}"],
  ])("%s of %j", async (path, value, message) => {
    const { service } = setUp();
    await live(service);
    const snapshot: Loose = service.snapshot();
    const names = path.split(/[.[\]]+/).filter((name) => name !== "");
    const last = names.pop() ?? "";
    const part = names.reduce((node, name) => node[name], snapshot);
    part[last] = typeof value === "function" ? value(snapshot) : value;
    // Rules about several fields name the thing that holds them.
    const place = path.replace(/(\[\d\]|\.purchased)$/, "");
    requireRefusal(service, snapshot, `snapshot.${place} ${message}`);
  });
});

test("restore names each value that is of a wrong kind, in words of its own", async () => {
  const { service } = setUp();
  await live(service);
  const text = JSON.stringify(service.snapshot());
  const kinds = [null, 7.5, {}, [7.5]];
  const damage = (value: Loose, write: (damaged: unknown) => void): void => {
    // Half of them each time: every field comes in several accounts, jobs or entries.
    kinds.unshift(...kinds.splice(1));
    for (const damaged of kinds.slice(0, 2)) {
      write(damaged);
      try {
        service.restore(snapshot);
      } catch (error) {
        expect(String(error)).toMatch(
          /^TypeError: The mock's snapshot.* (must be|has no field) (?!Invalid)/,
        );
      }
    }
    write(value);
    for (const name of typeof value === "object" ? Object.keys(value ?? {}) : []) {
      damage(value[name], (damaged) => {
        value[name] = damaged;
      });
    }
  };
  let snapshot = JSON.parse(text);
  damage(snapshot, (damaged) => {
    snapshot = damaged;
  });
  expect(JSON.stringify(snapshot)).toBe(text);
});
