import { describe, expect, test } from "vitest";
import { createManualClock, type MockServiceOptions } from "../../mocks/index.ts";
import { createAdministered } from "./admin-ask.ts";
import { createAsk } from "./ask.ts";

const busy: MockServiceOptions = {
  clock: createManualClock(),
  accounts: { "test-key": {}, "test-other": {} },
  timeline: { queuedMs: 10_000, processingMs: 10_000 },
};

/** Jobs of two accounts, a second apart: a, b, c, d; b failed, c processing, d queued. */
const createBusy = async () => {
  const administered = createAdministered({ ...busy, clock: createManualClock() });
  const { service } = administered;
  const submit = async (key: string, body: object): Promise<string> => {
    const { data } = await createAsk(service, key)("POST", "/v1/jobs", body);
    service.clock.advance(1_000);
    return data.job_id;
  };
  const brand = await administered.ask("POST", "/v1/brands", { name: "Zebra & Söhne" });
  const ids = {
    a: await submit("test-key", {
      action: "generate-ad",
      prompt: `${"of coats ".repeat(12)}Summer SALE`,
    }),
    b: await submit("test-other", { action: "edit-ad", prompt: "Winter" }),
  };
  service.jobs.fail(ids.b, "Refused by moderation");
  service.clock.advance(20_000);
  const c = await submit("test-key", {
    action: "generate-ad",
    prompt: "سترة",
    brand_id: brand.data.id,
  });
  service.clock.advance(9_500);
  return {
    ...administered,
    submit,
    ids: { ...ids, c, d: await submit("test-other", { action: "edit-ad" }) },
  };
};

describe("a search among the jobs", () => {
  test.each([
    ["status=failed", ["b"], 1],
    ["status=completed,failed", ["b", "a"], 2],
    ["account=test-key", ["c", "a"], 2],
    ["action=edit-ad", ["d", "b"], 2],
    ["action=edit-ad,generate-ad-copy&text=EDIT-", ["d", "b"], 2],
    ["text=summer%20sale", ["a"], 1],
    ["text=MODERATION", ["b"], 1],
    ["text=سترة", ["c"], 1],
    ["text=zebra%20%26%20s%C3%B6hne", ["c"], 1],
    ["text=nothing%20has%20this", [], 0],
    ["action=edit-ad&text=winter&account=test-other&status=failed", ["b"], 1],
    ["limit=1", ["d"], 4],
    ["limit=0", [], 4],
    ["each=1", ["d", "c", "b", "a"], 4],
    ["each=1&limit=3", ["d", "c", "b"], 4],
    ["each=0", [], 4],
  ])("by %s finds %j", async (query, names, total) => {
    const { order, ids } = await createBusy();
    const { data } = await order("GET", `/jobs?${query}`);
    const found: readonly string[] = data.jobs.map(({ job_id }: { job_id: string }) => job_id);
    const nameOf = Object.fromEntries(Object.entries(ids).map(([name, id]) => [id, name]));
    expect(found.map((id) => nameOf[id])).toEqual(names);
    expect(data.total).toBe(total);
  });

  test("finds a job by a part of its id", async () => {
    const { service, ids } = await createBusy();
    const found = service.jobs.search({ text: ids.c.slice(4, 16).toUpperCase() });
    expect(found.jobs.map(({ job_id }) => job_id)).toEqual([ids.c]);
  });

  test("counts every state, whatever state it lists", async () => {
    const { order } = await createBusy();
    const { data } = await order("GET", "/jobs?status=failed&account=test-other");
    expect(data.counts).toEqual({ queued: 1, processing: 0, completed: 0, failed: 1 });
    expect(data.total).toBe(1);
  });

  test("goes on after the last job of a page, and a new job moves no page", async () => {
    const { service, ids, submit } = await createBusy();
    const pageAfter = (before?: string): readonly string[] =>
      service.jobs
        .search({ limit: 2, ...(before !== undefined && { before }) })
        .jobs.map(({ job_id }) => job_id);
    expect(pageAfter()).toEqual([ids.d, ids.c]);
    await submit("test-key", { action: "generate-ad" });
    expect(pageAfter(ids.c)).toEqual([ids.b, ids.a]);
    expect(pageAfter(ids.a)).toEqual([]);
  });

  test("lists each of many jobs of one moment once, page by page", async () => {
    const keys = ["test-key", "test-b", "test-c"];
    const { service } = createAdministered({
      clock: createManualClock(),
      accounts: Object.fromEntries(keys.map((key) => [key, {}])),
    });
    for (let count = 0; count < 30; count += 1) {
      const ask = createAsk(service, keys[count % 3] ?? "");
      await ask("POST", "/v1/jobs", { action: "generate-ad" });
    }
    const whole = service.jobs.search().jobs.map(({ job_id }) => job_id);
    const paged: string[] = [];
    for (let before = {}; paged.length <= whole.length; ) {
      const { jobs } = service.jobs.search({ limit: 7, ...before });
      if (jobs.length === 0) break;
      paged.push(...jobs.map(({ job_id }) => job_id));
      before = { before: paged.at(-1) };
    }
    expect(paged).toEqual(whole);
    expect(new Set(paged).size).toBe(30);
  });

  test("lists so many jobs of each state, however many are newer", async () => {
    const { service, submit, ids } = await createBusy();
    for (let count = 0; count < 5; count += 1) await submit("test-key", { action: "copy-ad" });
    const { jobs, total } = service.jobs.search({ each: 2 });
    expect(total).toBe(9);
    const statuses = ["queued", "queued", "processing", "failed", "completed"];
    expect(jobs.map(({ status }) => status)).toEqual(statuses);
    expect(jobs.at(-1)?.job_id).toBe(ids.a);
  });

  test("leaves the results out when it is told to", async () => {
    const { order } = await createBusy();
    const [withResult, without] = await Promise.all(
      ["status=completed", "status=completed&results=false"].map(
        async (query) => (await order("GET", `/jobs?${query}`)).data.jobs[0],
      ),
    );
    const { result, ...rest } = withResult;
    expect(result.images).toHaveLength(1);
    expect(without).toEqual(rest);
  });

  test("moves no job on, and does not count jobs that can no longer be found", async () => {
    const { service, ask } = createAdministered({
      expiry: "not-found",
      clock: createManualClock(),
    });
    await ask("POST", "/v1/jobs", { action: "generate-ad" });
    for (let polls = 0; polls < 3; polls += 1) {
      expect(service.jobs.search().counts.queued).toBe(1);
    }
    service.clock.advance(31 * 60_000);
    for (const text of ["", "job"]) expect(service.jobs.search({ text }).total).toBe(0);
    expect(service.jobs.search().total).toBe(0);
    expect(service.account("test-key").counts.jobs).toEqual({
      queued: 0,
      processing: 0,
      completed: 0,
      failed: 0,
    });
  });

  test("begins its counts anew after a reset and a restore", async () => {
    const { service } = await createBusy();
    const snapshot = service.snapshot();
    const { counts } = service.jobs.search();
    service.account("test-other").reset();
    expect(service.jobs.search().counts).toEqual({ ...counts, queued: 0, failed: 0 });
    service.reset();
    expect(service.jobs.search()).toMatchObject({ total: 0, jobs: [] });
    service.restore(snapshot);
    expect(service.jobs.search().counts).toEqual(counts);
  });

  test.each([
    ["status=done", "status"],
    ["status=", "status"],
    ["action=paint", "action"],
    ["limit=1001", "limit"],
    ["before=job_nobody", "before"],
    ["account=test-nobody", "account"],
    ["results=no", "results"],
  ])("refuses %s by the name of the field", async (query, field) => {
    const { order } = await createBusy();
    const { status, error } = await order("GET", `/jobs?${query}`);
    expect(status).toBe(400);
    expect(error).toContain(field);
  });
});

describe("all about one job", () => {
  test("is its request, its cost, its times and its requests", async () => {
    const { order, ask, service, ids } = await createBusy();
    await ask("GET", `/v1/jobs/${ids.c}`);
    await ask("GET", "/v1/jobs");
    const { data } = await order("GET", `/jobs/${ids.c}`);
    expect(data).toMatchObject({
      job: { job_id: ids.c, status: "processing" },
      account: "test-key",
      request: { action: "generate-ad", prompt: "سترة" },
      brand: "Zebra & Söhne",
      cost: { credit: "image", amount: 1, refunded: false },
      polls: 1,
    });
    expect(data.startedAt - data.submittedAt).toBe(10_000);
    const paths = data.requests.map((number: number) => service.journal.find({ number })[0]?.path);
    expect(paths).toEqual(["/v1/jobs", `/v1/jobs/${ids.c}`]);
  });

  test("is a 404 for an id of no job", async () => {
    const { order } = createAdministered();
    const { status, error } = await order("GET", "/jobs/job_nobody");
    expect([status, error]).toEqual([404, 'No job has the id "job_nobody"']);
  });
});
