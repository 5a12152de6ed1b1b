import { afterEach, expect, it, vi } from "vitest";
import { findLostJobs, isAdGenError, submitMany } from "../../src/client/index.ts";
import { recoverJobs } from "../../src/submissions/index.ts";
import { failure, queued, silence, success } from "../helpers/answers.ts";
import { schemaOf } from "../helpers/calls.ts";
import {
  clientOf,
  measureTime,
  once,
  paidJob,
  pause,
  posts,
  rejection,
  startWith,
  testKey,
  unsent,
} from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

afterEach(() => void vi.restoreAllMocks());

it("a new id is on record before the POST leaves, and its response before submit resolves", async () => {
  const { server, store, jobs } = await startWith(queued("job-7"));
  const seen: [state: string, requests: number][] = [];
  const texts: unknown[] = [];
  const { swap } = store;
  store.swap = async (id, expected, next) => {
    texts.push(id, next);
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
  expect(JSON.stringify(texts)).not.toContain(testKey);
  expect(server.received[0]?.headers).not.toHaveProperty("idempotency-key");
});

it("a job is recorded as received, even if its id echoes the API key", async () => {
  const { server, openNext, jobs } = await startWith(queued(testKey));

  expect((await jobs.submit(paidJob, { once })).job_id).toBe(testKey);

  const other = openNext();
  expect((await other.jobs.submit(paidJob, { once })).job_id).toBe(testKey);
  expect(posts(server)).toBe(1);
});

it("an id is free after a POST that was surely not carried out, also for a corrected request", async () => {
  const { server, jobs, openNext } = await startWith(failure(402), queued("job-7"));
  const nowhere = openNext({ baseUrl: "http://127.0.0.1:9", maxRetries: 0 }).jobs;

  const notSent = await rejection(nowhere.submit(paidJob, { once }));
  const refused = await rejection(jobs.submit(paidJob, { once }));
  const mended = await openNext().jobs.submit({ ...paidJob, prompt: "Winter" }, { once });

  expect(notSent).toMatchObject({ code: "connection", outcome: "not-sent" });
  expect(refused).toMatchObject({ code: "payment_required", outcome: "refused" });
  expect(mended).toMatchObject({ job_id: "job-7" });
  expect(posts(server)).toBe(2);
  expect((await recoverJobs({ jobs })).unknown).toEqual([]);
});

it("a repeated id gets the first response by each way to submit", async () => {
  const job = { job_id: "job-7", status: "queued", created_at: "2026" };
  const done = success({ job_id: "job-7", status: "completed", result: { url: 7 } });
  const { server, openNext, jobs } = await startWith(success(job, 202), done);
  const schema = schemaOf(() => ({ issues: [{ message: "no text" }] }));
  const other = openNext({ schemas: { results: { "generate-ad": schema } } });
  const byIndex = { once: (_: unknown, index: number) => `order-${index + 17}` };

  const [style, turned]: object[] = [{ style: { a: 1, b: [2] } }, { style: { b: [2], a: 1 } }];
  const request = { ...paidJob, ...style };
  const shuffled = { ...turned, prompt: paidJob.prompt, action: paidJob.action };

  for (const { submit } of [jobs, jobs, other.jobs]) {
    expect(await submit(request, { once })).toEqual(job);
    expect(await submit(shuffled, { once })).toEqual(job);
  }
  expect(await jobs.submitAndPoll(request, { once })).toMatchObject({ result: { url: 7 } });
  const { value: result } = await submitMany(openNext().client, [request], byIndex).next();

  expect(result).toMatchObject({ ok: true, jobId: "job-7" });
  expect(await rejection(other.jobs.get("job-7"))).toMatchObject({ reason: "schema" });
  expect(posts(server)).toBe(1);
});

it("a repeated id gets its brand or saved ad, checked by the asking client's schema", async () => {
  const { server, openNext, client } = await startWith(success({ id: "a-1", name: "Sun" }, 201));
  const schema = schemaOf((value) => ({ value: { checked: value } }));
  const makeBoth = async ({ brands, savedAds }: typeof client) => [
    await brands.create({ name: "Sun" }, { once: "brand-a" }),
    await savedAds.create({ brand_id: "brand-1" }, { once: "ad-a" }),
  ];

  const made = await makeBoth(client);
  const again = await makeBoth(openNext({ schemas: { brand: schema, savedAd: schema } }).client);

  expect(again).toEqual(made.map((checked) => ({ checked })));
  expect(server.received).toHaveLength(2);
});

const listed = [
  { job_id: "job-9", status: "queued", action: "video-a-2" },
  { job_id: "job-8", status: "queued", action: "generate-ad" },
  { job_id: "job-7", status: "queued" },
  { job_id: "job-6", status: "queued" },
];

it("an id in doubt is reported with candidates until it is decided", async () => {
  const answers = [queued("job-6"), failure(500), success({ jobs: listed })];
  const { server, client, submissions, jobs, openNext } = await startWith(...answers);
  await jobs.submit(paidJob, { once: "order-16" });

  const lost = await rejection(jobs.submit(paidJob, { once }));
  const error = await rejection(jobs.submit(paidJob, { once }));

  expect(lost).toMatchObject({ code: "server_error", outcome: "unknown" });
  expect(lost.message).toContain(
    "the job may exist and be charged: call again with the same id, which sends nothing",
  );
  expect(error).toMatchObject({ ...unsent, name: "InDoubtError", outcome: "unknown" });
  expect(error.message).toContain("submissions.decide(error.doubt");
  if (!isAdGenError(error) || error.code !== "in_doubt") throw error;
  const facts = { id: once, why: "server_error", request: paidJob };
  expect(error.doubt).toMatchObject({ ...facts, mayStillArrive: true });
  const [told] = (await recoverJobs(client)).unknown;
  expect(told).toEqual({ ...error.doubt, candidates: [listed[1], listed[2]] });
  expect(JSON.stringify(error)).not.toContain("Summer sale");
  const refused = await rejection(findLostJobs(client, error));
  expect(refused).toMatchObject({ code: "invalid_request" });
  expect(refused.message).toContain("this call sent nothing (in_doubt)");

  await submissions.decide(error.doubt, { adopt: "job_7" });

  for (const asked of [jobs, openNext().jobs]) {
    const adopted = { job_id: "job_7", status: "queued" };
    expect(await asked.submit(paidJob, { once })).toEqual(adopted);
  }
  expect(posts(server)).toBe(2);
  expect((await recoverJobs({ jobs })).unknown).toEqual([]);
});

it("a submission with an id sends nothing while the store fails, and nothing after an abort meanwhile", async () => {
  const { server, store, jobs } = await startWith(queued("job-7"));
  const { swap } = store;
  const broken = new Error("ENOSPC: no space left on device");
  store.swap = () => Promise.reject(broken);

  const error = await rejection(jobs.submit(paidJob, { once }));
  // An earlier call by this id may have sent it.
  const outcome = "unknown";
  expect(error).toMatchObject({ ...unsent, name: "StoreError", code: "store", outcome });
  expect(error.message).toContain("ENOSPC");
  expect(error.cause).toBe(broken);

  const goOn = Promise.withResolvers<void>();
  store.swap = async (...input) => {
    await goOn.promise;
    return swap(...input);
  };
  const aborted = await rejection(jobs.submit(paidJob, { once, signal: AbortSignal.timeout(10) }));
  goOn.resolve();
  await expect.poll(async () => (await recoverJobs({ jobs })).underWay).toEqual([]);
  expect(aborted).toMatchObject({ code: "aborted", outcome: "unknown" });
  expect(posts(server)).toBe(0);
  expect(await jobs.submit(paidJob, { once })).toMatchObject({ job_id: "job-7" });
});

it("a submission with an id sends nothing after a suspension longer than its record may wait", async () => {
  const { server, openNext } = await startWith(queued("job-7"));
  const apiKey = async (): Promise<string> => {
    const suspendedUntil = Date.now() + 3_600_000;
    vi.spyOn(Date, "now").mockImplementation(() => suspendedUntil);
    return testKey;
  };

  const error = await rejection(openNext({ apiKey }).jobs.submit(paidJob, { once }));

  expect(error).toMatchObject({ code: "timeout", outcome: "not-sent" });
  expect(error.message).toContain("timed out after a suspension of the process");
  expect(posts(server)).toBe(0);
  vi.restoreAllMocks();
  expect(await openNext().jobs.submit(paidJob, { once })).toMatchObject({ job_id: "job-7" });
});

it("a submission waits for another call with its id only as long as waitMs says", async () => {
  const { server, openNext, jobs } = await startWith(silence);
  const end = new AbortController();
  const first = rejection(jobs.submit(paidJob, { once, signal: end.signal }));
  await expect.poll(() => posts(server)).toBe(1);

  const { value: error, ms } = await measureTime(() =>
    rejection(openNext().jobs.submit(paidJob, { once: { id: once, waitMs: 0 } })),
  );

  expect(error).toMatchObject({ ...unsent, name: "UnderWayError", outcome: "unknown" });
  expect(error.retryAfterMs).toBeGreaterThan(0);
  expect(ms).toBeLessThan(20_000);
  end.abort();
  expect(await first).toMatchObject({ code: "aborted", outcome: "unknown" });
});

it("once without a store is refused, with the way to get one", async () => {
  const server = await listen(queued());
  const { jobs, brands, savedAds } = clientOf(server);

  for (const call of [
    jobs.submit(paidJob, { once }),
    jobs.submitAndPoll(paidJob, { once }),
    brands.create({ name: "a" }, { once }),
    savedAds.create({} as never, { once }),
  ]) {
    const error = await rejection(call);
    expect(error).toMatchObject({ name: "ConfigError", outcome: "not-sent" });
    expect(error.message).toMatch(/once needs a store: .*createSubmissions.*openFileStore/);
  }
  expect(server.received).toEqual([]);
});

it("once behind a proxy must fit into an Idempotency-Key header", async () => {
  const server = await listen(queued());
  const { jobs } = clientOf(server, { apiKey: null, headers: { "Idempotency-Key": "other" } });

  for (const id of ["order 17", "größe", "x".repeat(129)]) {
    const error = await rejection(jobs.submit(paidJob, { once: id }));
    expect(error).toMatchObject({ code: "invalid_request", outcome: "not-sent" });
    expect(error.message).toContain("once must have 1 to 128 visible ASCII characters");
  }
  const waiting = await rejection(jobs.submit(paidJob, { once: { id: once, waitMs: 0 } }));
  expect(waiting.message).toContain("once.waitMs needs a store");
  await jobs.submit(paidJob, { once });

  expect(server.received.map(({ headers }) => headers["idempotency-key"])).toEqual([once]);
});

it("once is refused as an unusable id, and as an option of reads, changes and deletes", async () => {
  const { server, client } = await startWith(queued());
  const { jobs, brands } = client;

  const noText = "must be text of 1 to 512 characters";
  const refused: [once: unknown, message: string][] = [
    ["", `once ${noText}, got ""`],
    [17, `once ${noText}, got 17`],
    ["x".repeat(513), `once ${noText}, got`],
    [{ waitMs: 0 }, "once needs an id"],
    [{ id: 17 }, `once.id ${noText}, got 17`],
    [{ id: once, waitMs: -1 }, "once.waitMs must be a number of milliseconds from 0"],
    [{ id: once, timeoutMs: 1 }, 'once has no option "timeoutMs"'],
  ];
  for (const [id, message] of refused as [string, string][]) {
    for (const submit of [jobs.submit, jobs.submitAndPoll]) {
      const error = await rejection(submit(paidJob, { once: id }));
      expect(error).toMatchObject({ code: "invalid_request", outcome: "not-sent" });
      expect(error.message).toContain(message);
    }
    if (typeof id === "object") continue;
    const batch = () => submitMany(client, [paidJob], { once: () => id });
    expect(batch).toThrow(`once of requests[0] ${noText}`);
  }
  const misplaced = { once } as object;
  for (const call of [
    jobs.get("job-1", misplaced),
    brands.update("b", {}, misplaced),
    brands.delete("b", misplaced),
  ]) {
    expect((await rejection(call)).message).toContain('has no option "once"');
  }
  expect(server.received).toEqual([]);
});
