import { afterEach, describe, expect, it, vi } from "vitest";
import { submitMany } from "../../src/index.ts";
import { queued, silence, success } from "../helpers/answers.ts";
import { clientOf, paidJob, pause, rejection, testKey, timed } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { once, posts, schemaOf, startWith, unsent } from "./paid-scene.ts";

afterEach(() => void vi.restoreAllMocks());

const job7 = { job_id: "job-7", status: "queued", created_at: "2026" };

describe("a new id", () => {
  it("is on record before the POST leaves, its answer before submit resolves, the key never", async () => {
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

  it("has its job on record as it came, also where the service has echoed the key", async () => {
    const { server, openNext, jobs, submissions } = await startWith(queued(testKey));

    expect((await jobs.submit(paidJob, { once })).job_id).toBe(testKey);

    const other = openNext();
    expect((await other.jobs.submit(paidJob, { once })).job_id).toBe(testKey);
    expect((await jobs.recover()).waiting).toMatchObject([{ job_id: testKey }]);
    await submissions.acknowledge(testKey);
    expect((await other.jobs.recover()).waiting).toEqual([]);
    expect(posts(server)).toBe(1);
  });
});

describe("the same request under the same id", () => {
  it("gets the same answer, whatever the order of its fields, beside the first and after it", async () => {
    const slowly: Answer = (...input) => void setTimeout(() => success(job7, 202)(...input), 50);
    const { server, openNext, jobs } = await startWith(slowly);
    const request = { ...paidJob, style: { a: 1, b: [2] } };
    const shuffled = { style: { b: [2], a: 1 }, prompt: paidJob.prompt, action: paidJob.action };
    const submits = [jobs, jobs, openNext().jobs, openNext().jobs].flatMap(({ submit }) =>
      [request, shuffled].map((body) => () => submit(body as never, { once })),
    );

    const beside = await Promise.all(submits.map((submit) => submit()));
    const after = await Promise.all(submits.map((submit) => submit()));

    expect([...beside, ...after]).toEqual(Array(16).fill(job7));
    expect(posts(server)).toBe(1);
  });

  it("gets the result by the schema of its action in another process, too", async () => {
    const done = success({ job_id: "job-7", status: "completed", result: { url: 7 } });
    const { openNext, jobs } = await startWith(queued("job-7"), done);
    await jobs.submit(paidJob, { once });
    const schema = schemaOf(() => ({ issues: [{ message: "no text" }] }));
    const other = openNext({ schemas: { results: { "generate-ad": schema } } });

    const job = await other.jobs.submit(paidJob, { once });

    expect(await rejection(other.jobs.get(job.job_id))).toMatchObject({ reason: "schema" });
  });

  it("gets a brand and a saved ad, each checked by the schema of the client that asks", async () => {
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

  it("waits for the job through submitAndPoll, and each request through submitMany", async () => {
    const done = success({ job_id: "job-7", status: "completed", result: {} });
    const { server, openNext, jobs } = await startWith(queued("job-7"), done);

    await jobs.submitAndPoll(paidJob, { once, intervalMs: 10 });
    const byIndex = { once: (_: unknown, index: number) => `order-${index + 17}` };
    const { value: result } = await submitMany(openNext().client, [paidJob], byIndex).next();

    expect(result).toMatchObject({ ok: true, jobId: "job-7" });
    expect(posts(server)).toBe(1);
  });
});

it("refuses another request under an id, here and elsewhere, and sends nothing", async () => {
  const { server, openNext, jobs, client } = await startWith(queued("job-7"), success({}, 201));
  await jobs.submit(paidJob, { once });

  for (const { brands, jobs } of [client, openNext().client]) {
    for (const call of [
      jobs.submit({ ...paidJob, prompt: "Winter" }, { once }),
      brands.create(paidJob as never, { once }),
    ]) {
      const error = await rejection(call);
      expect(error).toMatchObject({ code: "invalid_request", outcome: "not-sent" });
      expect(error.message).toContain('"order-17" belongs to another request');
    }
  }
  expect(posts(server)).toBe(1);
});

it("waits for a call under way elsewhere in its own time, and no longer than its signal", async () => {
  const { server, openNext, jobs } = await startWith(silence);
  const first = rejection(jobs.submit(paidJob, { once, timeoutMs: 1_000 }));
  await expect.poll(() => posts(server)).toBe(1);
  const other = openNext().jobs;
  const controller = new AbortController();
  setTimeout(() => controller.abort("enough"), 20);

  const { value, ms } = await timed(() =>
    Promise.all([
      rejection(other.submit(paidJob, { once, timeoutMs: 250 })),
      rejection(openNext().jobs.submit(paidJob, { once, signal: controller.signal })),
    ]),
  );

  expect(value).toMatchObject([
    { ...unsent, code: "under_way", outcome: "unknown" },
    { code: "aborted", outcome: "unknown", cause: "enough" },
  ]);
  expect(value[0]?.retryAfterMs).toBeGreaterThan(1_000);
  expect(ms).toBeLessThan(20_000);
  await first;
  expect(posts(server)).toBe(1);
});

describe("a store that fails", () => {
  it.each([
    // An earlier call by this id may have sent it.
    [{ once }, "unknown"],
    [{}, "not-sent"],
  ])("lets nothing be sent with %j: the outcome is %s", async (options, outcome) => {
    const { server, store, jobs } = await startWith(queued("job-7"));
    const { swap } = store;
    const broken = new Error("ENOSPC: no space left on device");
    store.swap = () => Promise.reject(broken);

    const error = await rejection(jobs.submit(paidJob, options));

    expect(error).toMatchObject({ ...unsent, name: "StoreError", code: "store", outcome });
    expect(error.message).toContain("ENOSPC");
    expect(error.cause).toBe(broken);
    expect(posts(server)).toBe(0);
    store.swap = swap;
    expect(await jobs.submit(paidJob, options)).toMatchObject({ job_id: "job-7" });
  });

  it("ends the call in its time, or by its signal, where it hangs, and nothing is sent later", async () => {
    const { server, store, jobs } = await startWith(queued("job-7"));
    const { swap } = store;
    let goOn = (): void => {};
    const isSlow = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    store.swap = async (...input) => {
      await isSlow;
      return swap(...input);
    };
    const controller = new AbortController();
    setTimeout(() => controller.abort("enough"), 10);

    const aborted = await rejection(jobs.submit(paidJob, { signal: controller.signal }));
    const error = await rejection(jobs.submit(paidJob, { timeoutMs: 80 }));
    goOn();
    await expect.poll(async () => (await jobs.recover()).underWay).toEqual([]);

    expect(aborted).toMatchObject({ code: "aborted", outcome: "not-sent", cause: "enough" });
    expect(error).toMatchObject({ ...unsent, code: "store", outcome: "not-sent" });
    expect(error.message).toContain("80 ms");
    expect(posts(server)).toBe(0);
  });
});

it("sends nothing after a suspension that is longer than the record may wait", async () => {
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

describe("without submissions", () => {
  it("once is refused, with the way to a store", async () => {
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

  it("once is the Idempotency-Key for a proxy that adds the key, which takes no other id", async () => {
    const server = await listen(queued());
    const { jobs } = clientOf(server, { apiKey: null, headers: { "Idempotency-Key": "other" } });

    for (const id of ["order 17", "größe", "x".repeat(129)]) {
      const error = await rejection(jobs.submit(paidJob, { once: id }));
      expect(error).toMatchObject({ code: "invalid_request", outcome: "not-sent" });
      expect(error.message).toContain("once must have 1 to 128 visible ASCII characters");
    }
    await jobs.submit(paidJob, { once });

    expect(server.received.map(({ headers }) => headers["idempotency-key"])).toEqual([once]);
  });
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
