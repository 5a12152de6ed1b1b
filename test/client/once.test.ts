import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ClientOptions, isAdGenError, submitMany } from "../../src/index.ts";
import { createMemoryStore, createSubmissions, type RecordStore } from "../../src/submissions.ts";
import { cut, failure, queued, silence, success } from "../helpers/answers.ts";
import { clientOf, paidJob, pause, rejection, testKey, timed } from "../helpers/client.ts";
import { type Answer, type HttpServer, listen } from "../helpers/http-server.ts";

/** A store whose earlier writers have ended, as that in a file knows after a restart. */
const afterRestart = (store: RecordStore): RecordStore => ({
  ...store,
  swap: async (...input) => {
    const there = await store.swap(...input);
    return there && { ...there, isLeft: true };
  },
  list: async (...input) =>
    (await store.list(...input)).map((there) => ({ ...there, isLeft: true })),
});

/** A client with submissions, as one process has them. */
const open = (server: HttpServer, store: RecordStore, options?: ClientOptions) => {
  const submissions = createSubmissions(store);
  const client = clientOf(server, { submissions, ...options });
  return { submissions, client, jobs: client.jobs };
};

const startWith = async (...answers: Answer[]) => {
  const server = await listen(...answers);
  const store = createMemoryStore();
  return { server, store, ...open(server, store) };
};

const posts = ({ received }: HttpServer): number =>
  received.filter(({ method }) => method === "POST").length;

const once = "order-17";

/** An error by this id of the caller, of a call that sent nothing. */
const unsent = { method: "POST", path: "/v1/jobs", attempts: 0, action: "generate-ad" };

let printed = vi.spyOn(console, "error");
beforeEach(() => {
  printed = vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => void vi.restoreAllMocks());

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
    await vi.waitFor(() => expect(posts(server)).toBe(1));

    const { value: error, ms } = await timed(() =>
      rejection(open(server, store).jobs.submit(paidJob, { once, timeoutMs: 250 })),
    );

    expect(error).toMatchObject({ ...unsent, code: "under_way", outcome: "unknown" });
    expect(error.retryAfterMs).toBeGreaterThan(1_000);
    expect(ms).toBeLessThan(1_000);
    await first;
    expect(posts(server)).toBe(1);
  });

  it("is not waited for after an abort, and nothing is sent", async () => {
    const { server, store, jobs } = await startWith(silence);
    const controller = new AbortController();
    const { signal } = controller;
    const first = rejection(jobs.submit(paidJob, { once, timeoutMs: 1_000 }));
    await vi.waitFor(() => expect(posts(server)).toBe(1));
    setTimeout(() => controller.abort("enough"), 20);

    const { value: error, ms } = await timed(() =>
      rejection(open(server, store).jobs.submit(paidJob, { once, signal })),
    );

    expect(error).toMatchObject({ code: "aborted", outcome: "unknown", cause: "enough" });
    expect(ms).toBeLessThan(500);
    await first;
    expect(posts(server)).toBe(1);
  });
});

const listed = [
  { job_id: "job-9", status: "queued", action: "video-a-2" },
  { job_id: "job-8", status: "queued", action: "generate-ad" },
  { job_id: "job-7", status: "queued" },
  { job_id: "job-6", status: "queued" },
];

/** A submission whose answer was lost, beside one whose job is known. */
const startWithDoubt = async (...later: Answer[]) => {
  const started = await startWith(
    queued("job-6"),
    failure(500),
    success({ jobs: listed }),
    ...later,
  );
  await started.jobs.submit(paidJob, { once: "order-16" });
  const lost = await rejection(started.jobs.submit(paidJob, { once }));
  expect(lost).toMatchObject({ code: "server_error", outcome: "unknown" });
  const error = await rejection(started.jobs.submit(paidJob, { once }));
  if (!isAdGenError(error) || error.code !== "in_doubt") throw error;
  return { ...started, error };
};

describe("an id in doubt", () => {
  it("is told with its doubt and with candidates, and nothing is sent", async () => {
    const { server, error } = await startWithDoubt();

    expect(error).toMatchObject({ ...unsent, name: "InDoubtError", outcome: "unknown" });
    expect(error.message).toContain("submissions.decide(error.doubt");
    expect(error.doubt).toEqual({
      id: once,
      token: expect.stringMatching(/^[0-9a-f]{32}$/),
      method: "jobs.submit",
      action: "generate-ad",
      submittedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      request: paidJob,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      origin: server.url,
      why: "server_error",
      mayStillArrive: true,
      candidates: [listed[1], listed[2]],
    });
    expect(JSON.stringify(error)).not.toContain("Summer sale");
    expect(posts(server)).toBe(2);
  });

  it("is told the same way in another process, and after its process has ended", async () => {
    const { server, store, jobs } = await startWith(silence, success({ jobs: listed }));
    const first = rejection(jobs.submit(paidJob, { once, timeoutMs: 1_000 }));
    await vi.waitFor(() => expect(posts(server)).toBe(1));

    const error = await rejection(open(server, afterRestart(store)).jobs.submit(paidJob, { once }));

    expect(error).toMatchObject({ code: "in_doubt", doubt: { id: once, why: "process_ended" } });
    expect(error).toMatchObject({ doubt: { candidates: listed.slice(1) } });
    await first;
    expect(posts(server)).toBe(1);
  });

  it.each<[string, Answer]>([
    ["fails", failure(400)],
    ["hangs", silence],
  ])("is told in the call's time without candidates where the list %s", async (_, answer) => {
    const { jobs } = await startWith(failure(500), answer);
    await rejection(jobs.submit(paidJob, { once }));

    const { value: error, ms } = await timed(() =>
      rejection(jobs.submit(paidJob, { once, timeoutMs: 300 })),
    );

    expect(error).toMatchObject({ code: "in_doubt", doubt: { id: once } });
    expect(error).not.toHaveProperty("doubt.candidates");
    expect(ms).toBeLessThan(1_500);
  });

  it("has its job after { adopt: job }: the id gives that job", async () => {
    const { server, submissions, jobs, error, store } = await startWithDoubt();

    await submissions.decide(error.doubt, { adopt: "job_7" });

    const adopted = { job_id: "job_7", status: "queued" };
    expect(await jobs.submit(paidJob, { once })).toEqual(adopted);
    expect(await open(server, store).jobs.submit(paidJob, { once })).toEqual(adopted);
    expect(posts(server)).toBe(2);
    expect((await jobs.recover()).waiting.map(({ job_id }) => job_id)).toEqual(["job-6", "job_7"]);
  });

  it('is free after "resubmit": the id sends again', async () => {
    const { server, submissions, jobs, error } = await startWithDoubt(queued("job-10"));

    await submissions.decide(error.doubt, "resubmit");

    expect(await jobs.submit(paidJob, { once })).toMatchObject({ job_id: "job-10" });
    expect(posts(server)).toBe(3);
  });

  it('never sends again after "drop"', async () => {
    const { server, submissions, jobs, error, store } = await startWithDoubt();

    await submissions.decide(error.doubt, "drop");

    for (const { jobs: asked } of [{ jobs }, open(server, store)]) {
      const refused = await rejection(asked.submit(paidJob, { once }));
      expect(refused).toMatchObject({ ...unsent, code: "invalid_request" });
      expect(refused.message).toContain("was dropped by a decision");
    }
    expect(posts(server)).toBe(2);
  });

  it("takes a decision for its attempt alone", async () => {
    const { submissions, jobs, error } = await startWithDoubt(failure(500));
    await submissions.decide(error.doubt, "resubmit");
    await rejection(jobs.submit(paidJob, { once }));

    const refused = await rejection(submissions.decide(error.doubt, "drop"));

    expect(refused.message).toContain("not in doubt about this attempt any more");
    expect(await rejection(jobs.submit(paidJob, { once }))).toMatchObject({ code: "in_doubt" });
  });

  it("is settled where a broken success named its job, and gives that job", async () => {
    const broken = cut(202, '{"success":true,"data":{"job_id":"job-7",');
    const { server, jobs } = await startWith(broken);

    const error = await rejection(jobs.submit(paidJob, { once }));

    expect(error).toMatchObject({ outcome: "unknown", jobId: "job-7" });
    expect(await jobs.submit(paidJob, { once })).toEqual({ job_id: "job-7", status: "queued" });
    expect(posts(server)).toBe(1);
  });
});

describe("an id whose POST was surely not carried out", () => {
  it.each([400, 401, 402, 404, 429])(
    "is free after a %i, for a mended request too",
    async (status) => {
      const { server, jobs, store } = await startWith(failure(status), queued("job-7"));
      const mended = { ...paidJob, prompt: "Winter sale" };

      expect(await rejection(jobs.submit(paidJob, { once }))).toMatchObject({ outcome: "refused" });

      expect(await open(server, store).jobs.submit(mended, { once })).toMatchObject({
        job_id: "job-7",
      });
      expect(posts(server)).toBe(2);
      expect((await jobs.recover()).unknown).toEqual([]);
    },
  );

  it("is free when it never left this machine", async () => {
    const server = await listen(queued("job-7"));
    const store = createMemoryStore();
    const nowhere = open({ ...server, url: "http://127.0.0.1:9" }, store, { maxRetries: 0 });
    const error = await rejection(nowhere.jobs.submit(paidJob, { once }));
    expect(error).toMatchObject({ code: "connection", outcome: "not-sent" });

    expect(await open(server, store).jobs.submit(paidJob, { once })).toMatchObject({
      job_id: "job-7",
    });
  });
});

describe("a store that fails", () => {
  const broken = new Error("ENOSPC: no space left on device");

  it("refuses the call before anything is sent; the same id again is safe", async () => {
    const { server, store, jobs } = await startWith(queued("job-7"));
    const { swap } = store;
    store.swap = () => Promise.reject(broken);

    const error = await rejection(jobs.submit(paidJob, { once }));

    // An earlier call by this id may have sent it.
    expect(error).toMatchObject({
      ...unsent,
      name: "StoreError",
      code: "store",
      outcome: "unknown",
    });
    expect(error.message).toContain("ENOSPC");
    expect(error.cause).toBe(broken);
    expect(posts(server)).toBe(0);
    store.swap = swap;
    expect(await jobs.submit(paidJob, { once })).toMatchObject({ job_id: "job-7" });
    expect(posts(server)).toBe(1);
  });

  it("ends the call in its time where it hangs, and nothing is sent later", async () => {
    const { server, store, jobs } = await startWith(queued("job-7"));
    const { swap } = store;
    let goOn = (): void => {};
    store.swap = async (...input) => {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      store.swap = swap;
      return swap(...input);
    };

    const { value: error, ms } = await timed(() =>
      rejection(jobs.submit(paidJob, { timeoutMs: 80 })),
    );
    goOn();
    await pause(20);

    expect(error).toMatchObject({ ...unsent, code: "store", outcome: "not-sent" });
    expect(error.message).toContain("80 ms");
    expect(ms).toBeLessThan(1_000);
    expect(posts(server)).toBe(0);
    await vi.waitFor(async () => expect((await jobs.recover()).underWay).toEqual([]));
  });

  it("does not keep an answered job from its caller, nor from repeats in this process", async () => {
    const { server, store, jobs } = await startWith(queued("job-7"));
    const { swap } = store;
    store.swap = async (id, expected, next) => {
      if (next?.text.includes('"settled"')) throw broken;
      return swap(id, expected, next);
    };

    const options = { once, timeoutMs: 200 };
    expect(await jobs.submit(paidJob, options)).toMatchObject({ job_id: "job-7" });
    expect(await jobs.submit(paidJob, options)).toMatchObject({ job_id: "job-7" });

    expect(posts(server)).toBe(1);
    expect(printed).toHaveBeenCalled();
  });
});

it("sends nothing after a suspension that was longer than the record may wait", async () => {
  const { server, store } = await startWith(queued("job-7"));
  const now = vi.spyOn(Date, "now");
  const apiKey = async (): Promise<string> => {
    const suspendedUntil = Date.now() + 3_600_000;
    now.mockImplementation(() => suspendedUntil);
    return testKey;
  };
  const { jobs } = open(server, store, { apiKey });

  const error = await rejection(jobs.submit(paidJob, { once }));

  expect(error).toMatchObject({ code: "timeout", outcome: "not-sent" });
  expect(error.message).toContain("timed out after a suspension of the process");
  expect(posts(server)).toBe(0);
  now.mockRestore();
  expect(await open(server, store).jobs.submit(paidJob, { once })).toMatchObject({
    job_id: "job-7",
  });
});

it("makes no second attempt after a suspension", async () => {
  const now = vi.spyOn(Date, "now");
  const slowDown: Answer = (response, received) => {
    const suspendedUntil = Date.now() + 3_600_000;
    now.mockImplementation(() => suspendedUntil);
    failure(429, "no", { "retry-after": "0" })(response, received);
  };
  const { server, jobs } = await startWith(slowDown, queued("job-7"));

  const error = await rejection(jobs.submit(paidJob, { once }));

  expect(error).toMatchObject({ code: "timeout", outcome: "refused" });
  expect(posts(server)).toBe(1);
});

describe("without submissions", () => {
  it("once is refused, with the way to a store, and nothing is sent", async () => {
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

  it("once is the Idempotency-Key for a proxy that adds the key", async () => {
    const server = await listen(queued());
    const { jobs } = clientOf(server, { apiKey: null, headers: { "Idempotency-Key": "other" } });

    await jobs.submit(paidJob, { once });

    expect(server.received[0]?.headers["idempotency-key"]).toBe(once);
  });

  it.each(["order 17", "größe", "x".repeat(129)])("a proxy gets no id like %j", async (id) => {
    const server = await listen(queued());
    const { jobs } = clientOf(server, { apiKey: null });

    const error = await rejection(jobs.submit(paidJob, { once: id }));

    expect(error).toMatchObject({ code: "invalid_request", outcome: "not-sent" });
    expect(error.message).toContain("once must have 1 to 128 visible ASCII characters");
    expect(server.received).toEqual([]);
  });
});

it("never sends its id to the service itself", async () => {
  const { server, jobs } = await startWith(queued());

  await jobs.submit(paidJob, { once });

  expect(server.received[0]?.headers).not.toHaveProperty("idempotency-key");
});

it.each<[unknown, string]>([
  ["", 'got ""'],
  [17, "got 17"],
  ["x".repeat(513), "got"],
])("refuses %j as an id", async (id, got) => {
  const { server, client } = await startWith(queued());

  const error = await rejection(client.jobs.submit(paidJob, { once: id as string }));

  expect(error).toMatchObject({ code: "invalid_request", outcome: "not-sent" });
  expect(error.message).toContain(`once must be text of 1 to 512 characters, ${got}`);
  expect(() => submitMany(client, [paidJob], { once: () => id as string })).toThrow(
    "once of requests[0] must be text of 1 to 512 characters",
  );
  expect(server.received).toEqual([]);
});

it("is no option of reads, changes and deletions", async () => {
  const { server, client } = await startWith(queued());

  for (const call of [
    client.jobs.get("job-1", { once } as object),
    client.brands.update("b", {}, { once } as object),
    client.brands.delete("b", { once } as object),
  ]) {
    expect((await rejection(call)).message).toContain('has no option "once"');
  }
  expect(server.received).toEqual([]);
});
