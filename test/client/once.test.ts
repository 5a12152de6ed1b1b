import { describe, expect, it, vi } from "vitest";
import { submitMany } from "../../src/index.ts";
import { createMemoryStore } from "../../src/submissions.ts";
import { failure, queued, silence, success } from "../helpers/answers.ts";
import { paidJob, pause, rejection, testKey, timed } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { once, open, posts, startWith, unsent } from "./paid-scene.ts";

describe("a new id", () => {
  it("is on record before the POST leaves, and its answer before submit resolves", async () => {
    const { server, store, jobs } = await startWith(queued("job-7"));
    const seen: [state: string, requests: number][] = [];
    const { swap } = store;
    store.swap = async (id, expected, next) => {
      if (id === `once:${once}`) {
        await pause(20);
        seen.push([JSON.parse(next?.text ?? "{}").state, posts(server)]);
      }
      return swap(id, expected, next);
    };

    expect(await jobs.submit(paidJob, { once })).toEqual({ job_id: "job-7", status: "queued" });

    expect(seen).toEqual([
      ["sending", 0],
      ["settled", 1],
    ]);
  });

  it("never puts the key on record", async () => {
    const { store, jobs } = await startWith(queued());
    const swap = vi.spyOn(store, "swap");

    await jobs.submit(paidJob, { once });

    expect(swap).toHaveBeenCalled();
    expect(JSON.stringify(swap.mock.calls)).not.toContain(testKey);
  });

  it("has its job on record as it came, also where the service has echoed the key", async () => {
    const { server, store, jobs, client, submissions } = await startWith(queued(testKey));

    expect((await jobs.submit(paidJob, { once })).job_id).toBe(testKey);

    const other = open(server, store);
    expect((await other.jobs.submit(paidJob, { once })).job_id).toBe(testKey);
    expect((await client.jobs.recover()).waiting).toMatchObject([{ job_id: testKey }]);
    await submissions.acknowledge(testKey);
    expect((await other.jobs.recover()).waiting).toEqual([]);
    expect(posts(server)).toBe(1);
  });

  it("is one attempt on record, however often a 429 makes the POST repeat", async () => {
    const slowDown = failure(429, "no", { "retry-after": "0" });
    const { server, jobs, store } = await startWith(slowDown, slowDown, queued("job-7"));

    await jobs.submit(paidJob, { once });

    expect(posts(server)).toBe(3);
    expect(await open(server, store).jobs.submit(paidJob, { once })).toMatchObject({
      job_id: "job-7",
    });
    expect(posts(server)).toBe(3);
  });
});

describe("the same request under the same id", () => {
  const request = {
    action: "generate-ad",
    prompt: "Summer sale",
    style: { a: 1, b: [2] },
  } as const;
  const shuffled = {
    style: { b: [2], a: 1 },
    prompt: "Summer sale",
    action: "generate-ad",
  } as const;

  it("gets the same answer in this process, without a POST, whatever the order of fields", async () => {
    const answer = { job_id: "job-7", status: "queued", created_at: "2026" };
    const { server, jobs } = await startWith(success(answer, 202));

    const first = await jobs.submit(request as never, { once });
    const second = await jobs.submit(shuffled as never, { once });

    expect([first, second]).toEqual([answer, answer]);
    expect(posts(server)).toBe(1);
  });

  it("gets the same answer in another process", async () => {
    const { server, store, jobs } = await startWith(queued("job-7"), queued("job-8"));
    await jobs.submit(paidJob, { once });

    const other = open(server, store);

    expect(await other.jobs.submit(paidJob, { once })).toMatchObject({ job_id: "job-7" });
    expect(posts(server)).toBe(1);
  });

  it("makes one POST where two come at the same time, in one process or in two", async () => {
    const slowly: Answer = (response, received) =>
      void setTimeout(() => queued("job-7")(response, received), 50);
    const { server, store, jobs } = await startWith(slowly);
    const other = open(server, store);

    const given = await Promise.all([
      ...[1, 2, 3].map(() => jobs.submit(paidJob, { once })),
      ...[1, 2].map(() => other.jobs.submit(paidJob, { once })),
    ]);

    expect(given.map(({ job_id }) => job_id)).toEqual(Array(5).fill("job-7"));
    expect(posts(server)).toBe(1);
  });

  it("gets the result by the schema of its action in another process, too", async () => {
    const done = success({ job_id: "job-7", status: "completed", result: { url: 7 } });
    const { server, store, jobs } = await startWith(queued("job-7"), done);
    await jobs.submit(paidJob, { once });
    const schema = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: () => ({ issues: [{ message: "no text" }] }),
      },
    } as const;
    const other = open(server, store, { schemas: { results: { "generate-ad": schema } } });

    const job = await other.jobs.submit(paidJob, { once });

    expect(await rejection(other.jobs.get(job.job_id))).toMatchObject({ reason: "schema" });
  });

  it("gets a brand and a saved ad, each checked by the schema of the client that asks", async () => {
    const server = await listen(success({ id: "thing-1", name: "Sun" }, 201));
    const store = createMemoryStore();
    const schema = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: (value: unknown) => ({ value: { checked: value } }),
      },
    } as const;
    const brand = { name: "Sun" };
    const ad = { brand_id: "brand-1", url: "https://ads.test/1.png" };

    const made = await open(server, store).client.brands.create(brand, { once: "brand-a" });
    const saved = await open(server, store).client.savedAds.create(ad as never, { once: "ad-a" });
    const next = open(server, store, { schemas: { brand: schema, savedAd: schema } });
    const [madeAgain, savedAgain] = await Promise.all([
      next.client.brands.create(brand, { once: "brand-a" }),
      next.client.savedAds.create(ad as never, { once: "ad-a" }),
    ]);

    expect([madeAgain, savedAgain]).toEqual([{ checked: made }, { checked: saved }]);
    expect(server.received).toHaveLength(2);
  });

  it("waits for the job through submitAndPoll, and each request through submitMany", async () => {
    const done = success({ job_id: "job-7", status: "completed", result: {} });
    const { server, store, jobs } = await startWith(queued("job-7"), done);

    await jobs.submitAndPoll(paidJob, { once, intervalMs: 10 });
    const again = open(server, store);
    const results = submitMany(again.client, [paidJob], {
      once: (_, index) => `order-${index + 17}`,
    });
    const { value: result } = await results.next();

    expect(result).toMatchObject({ ok: true, jobId: "job-7" });
    expect(posts(server)).toBe(1);
  });
});

describe("another request under the id of one", () => {
  it.each<[string, (given: ReturnType<typeof open>) => Promise<unknown>]>([
    ["another prompt", ({ jobs }) => jobs.submit({ ...paidJob, prompt: "Winter" }, { once })],
    ["another method", ({ client }) => client.brands.create(paidJob as never, { once })],
  ])("is refused, and nothing is sent: %s", async (_, submit) => {
    const { server, store, jobs, ...first } = await startWith(queued("job-7"), success({}, 201));
    await jobs.submit(paidJob, { once });

    const error = await rejection(submit({ jobs, ...first }));
    const errorElsewhere = await rejection(submit(open(server, store)));

    expect(error).toMatchObject({ code: "invalid_request", outcome: "not-sent" });
    expect(error.message).toContain('"order-17" belongs to another request');
    expect(errorElsewhere.message).toBe(error.message);
    expect(posts(server)).toBe(1);
  });
});

describe("an id whose call is under way elsewhere", () => {
  it("is waited for in the call's time, then told as under_way with a time to ask again", async () => {
    const { server, store, jobs } = await startWith(silence);
    const first = rejection(jobs.submit(paidJob, { once, timeoutMs: 1_000 }));
    await expect.poll(() => posts(server)).toBe(1);

    const { value: error, ms } = await timed(() =>
      rejection(open(server, store).jobs.submit(paidJob, { once, timeoutMs: 250 })),
    );

    expect(error).toMatchObject({ ...unsent, code: "under_way", outcome: "unknown" });
    expect(error.retryAfterMs).toBeGreaterThan(1_000);
    expect(ms).toBeLessThan(20_000);
    await first;
    expect(posts(server)).toBe(1);
  });

  it("is not waited for after an abort, and nothing is sent", async () => {
    const { server, store, jobs } = await startWith(silence);
    const controller = new AbortController();
    const { signal } = controller;
    const first = rejection(jobs.submit(paidJob, { once, timeoutMs: 1_000 }));
    await expect.poll(() => posts(server)).toBe(1);
    setTimeout(() => controller.abort("enough"), 20);

    const { value: error, ms } = await timed(() =>
      rejection(open(server, store).jobs.submit(paidJob, { once, signal })),
    );

    expect(error).toMatchObject({ code: "aborted", outcome: "unknown", cause: "enough" });
    expect(ms).toBeLessThan(20_000);
    await first;
    expect(posts(server)).toBe(1);
  });
});
