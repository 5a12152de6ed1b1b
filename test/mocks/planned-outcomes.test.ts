import { describe, expect, test } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { createAdministered } from "./admin-ask.ts";
import { createAsk } from "./ask.ts";

const accounts = { "test-key": {}, "test-b": {} };
const endless = Number.POSITIVE_INFINITY;

const setUp = () => {
  const service = createMockService({ accounts });
  const submit = (action = "copy-ad", key = "test-key") =>
    createAsk(service, key)("POST", "/v1/jobs", { action });
  return { service, submit, jobs: service.jobs, account: service.account("test-key") };
};

describe("a planned outcome", () => {
  test("is listed with its choice of submissions until they have taken it", async () => {
    const { service, submit, jobs } = setUp();
    const first = jobs.next({ fail: "moderation" }, { times: 2, action: "copy-ad" });
    const second = jobs.next({ result: [1] }, { account: "test-b" });
    const listed = {
      id: "outcome_1",
      fail: "moderation",
      times: 2,
      action: "copy-ad",
      taken: 0,
      remaining: 2,
    };
    expect(first).toEqual(listed);
    expect(second).toEqual({
      id: "outcome_2",
      result: [1],
      times: 1,
      account: "test-b",
      taken: 0,
      remaining: 1,
    });
    expect(jobs.planned).toEqual([first, second]);
    await submit("edit-ad");
    expect(jobs.planned[0]).toEqual(listed);
    await submit();
    expect(jobs.planned[0]).toEqual({ ...listed, taken: 1, remaining: 1 });
    await submit();
    expect(jobs.planned).toEqual([second]);
    service.reset();
    expect(jobs.planned).toEqual([]);
  });

  test("does not change with the objects that a test has got", () => {
    const { jobs } = setUp();
    const { result } = jobs.next({ result: { images: [] } });
    Object.assign(result as object, { images: ["changed"] });
    Object.assign(jobs.planned[0]?.result as object, { images: ["changed"] });
    expect(jobs.planned[0]?.result).toEqual({ images: [] });
  });

  test("can be taken back, alone or with all others", async () => {
    const { submit, jobs } = setUp();
    const [one, other] = [jobs.next({ fail: "one" }), jobs.next({ fail: "other" })];
    expect(jobs.removePlanned(one.id)).toBe(true);
    expect(jobs.removePlanned(one.id)).toBe(false);
    expect(jobs.planned).toEqual([other]);
    jobs.clearPlanned();
    expect(jobs.planned).toEqual([]);
    const { data } = await submit();
    expect(jobs.find(data.job_id)).toMatchObject({ status: "queued" });
    expect(jobs.next({ fail: "third" }).id).toBe("outcome_3");
  });

  test("of an account is the account's to list and to take back, and others are not", () => {
    const { jobs, account, service } = setUp();
    const all = jobs.next({ fail: "anyone's" });
    const other = service.account("test-b").jobs.next({ fail: "b's" });
    const own = account.jobs.next({ fail: "own" });
    expect(account.jobs.planned).toEqual([own]);
    expect(account.jobs.removePlanned(all.id)).toBe(false);
    expect(account.jobs.removePlanned(other.id)).toBe(false);
    account.jobs.clearPlanned();
    expect(jobs.planned).toEqual([all, other]);
    expect(service.account("test-b").jobs.removePlanned(other.id)).toBe(true);
    account.jobs.next({ fail: "own" });
    account.reset();
    expect(jobs.planned).toEqual([all]);
  });

  test("goes on in a snapshot, and its id is not given again", async () => {
    const { service, submit, jobs } = setUp();
    jobs.next({ fail: "moderation" }, { times: 3 });
    jobs.removePlanned(jobs.next({ fail: "taken back" }).id);
    await submit();
    const fork = service.fork();
    expect(fork.jobs.planned).toEqual(jobs.planned);
    expect(fork.jobs.planned).toMatchObject([{ id: "outcome_1", taken: 1, remaining: 2 }]);
    expect(fork.jobs.next({ fail: "new" }).id).toBe("outcome_3");
  });

  test("of an older snapshot, which has no numbers, gets one", () => {
    const { service, jobs } = setUp();
    jobs.next({ fail: "one" });
    jobs.next({ fail: "two" }, { times: endless });
    const { outcomesIssued: _, ...snapshot } = service.snapshot();
    const outcomes = snapshot["outcomes"] as Record<string, unknown>[];
    const older = outcomes.map(({ number: _, taken: __, ...outcome }) => outcome);
    service.restore({ ...snapshot, outcomes: older } as never);
    expect(jobs.planned.map(({ id, fail }) => [id, fail])).toEqual([
      ["outcome_1", "one"],
      ["outcome_2", "two"],
    ]);
    expect(jobs.next({ fail: "three" }).id).toBe("outcome_3");
  });
});

describe("over HTTP, a planned outcome", () => {
  test.each(["/jobs/next", "/faults"])("is taken back for one account alone: %s", async (path) => {
    const { order, service } = createAdministered({ accounts });
    service.jobs.next({ fail: "all" });
    service.faults.play({ kind: "html" });
    service.account("test-b").jobs.next({ fail: "b" });
    service.account("test-b").faults.play({ kind: "stall" });
    const unknown = await order("DELETE", `${path}?account=test-c`);
    expect(unknown.error).toBe('account must be the key of an account; it is "test-c"');
    expect((await order("DELETE", `${path}?acount=test-b`)).status).toBe(400);
    const [left] = Object.values<unknown[]>((await order("DELETE", `${path}?account=test-b`)).data);
    expect(left).toHaveLength(1);
    expect((await order("GET", `${path}?account=test-b`)).text).toContain("[]");
  });
});
