import { createHash } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createClient, pollJobs } from "../../src/index.ts";
import { createMemoryStore, createSubmissions, type RecordStore } from "../../src/submissions.ts";
import { failure, queued, reset, silence, success } from "../helpers/answers.ts";
import { clientOf, paidJob, pause, rejection, testKey } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

afterEach(() => void vi.restoreAllMocks());

const job = (id: string, status = "queued") => ({ job_id: id, status });
const listOf = (...ids: string[]): Answer => success({ jobs: ids.map((id) => job(id)) });

/** Answers in turn; a client of a later process has the same store. */
const startWith = async (...answers: Answer[]) => {
  const server = await listen(...answers);
  const store = createMemoryStore();
  const open = (from: RecordStore = store) => {
    const submissions = createSubmissions(from);
    const client = clientOf(server, { submissions, maxRetries: 0 });
    return { submissions, client, jobs: client.jobs };
  };
  return { server, store, open, ...open() };
};

describe("a submission without an id", () => {
  it("is on record for a later process, oldest first, until its job is acknowledged", async () => {
    const completed = success({ status: "completed", result: 1 });
    const { server, open, jobs } = await startWith(queued("a"), queued("b"), completed);
    await jobs.submit(paidJob);
    await jobs.submit({ action: "video-a-2", prompt: "Later" });
    const { client, submissions } = open();

    const { waiting } = await client.jobs.recover();

    expect(waiting).toMatchObject([
      { job_id: "a", action: "generate-ad", request: paidJob },
      { job_id: "b", action: "video-a-2", request: { prompt: "Later" } },
    ]);
    expect(server.received).toHaveLength(2);
    const [first] = await pollJobs(client, waiting);
    if (first?.ok) await submissions.acknowledge(first.data);
    expect((await open().jobs.recover()).waiting).toMatchObject([{ job_id: "b" }]);
  });

  it("has time, method, action, request, digest and origin on record, and never the key", async () => {
    const { server, store, open, jobs } = await startWith(queued("a"));
    const swap = vi.spyOn(store, "swap");
    const images = [`data:image/png;base64,${"A".repeat(5_000)}`];

    await jobs.submit({ ...paidJob, images });

    const { waiting } = await open().jobs.recover();
    const canonical = JSON.stringify([
      "jobs.submit",
      { action: "generate-ad", images, prompt: "Summer sale" },
    ]);
    expect(waiting).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-z]+-[0-9a-f]{32}$/),
        job_id: "a",
        method: "jobs.submit",
        action: "generate-ad",
        submittedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        request: {
          ...paidJob,
          images: [`data:image/png;base64,${"A".repeat(178)}… (5022 characters)`],
        },
        digest: createHash("sha256").update(canonical).digest("hex"),
        origin: server.url,
      },
    ]);
    expect(JSON.stringify(swap.mock.calls)).not.toContain(testKey);
  });

  it("is not on record where it is refused here", async () => {
    const { store, jobs } = await startWith(queued());
    const swap = vi.spyOn(store, "swap");

    await rejection(jobs.submit({ ...paidJob, variations: Number.NaN }));
    await rejection(jobs.submit(paidJob, { timeoutMs: -1 }));
    await rejection(jobs.submit(paidJob, { signal: AbortSignal.abort() }));

    expect(swap).not.toHaveBeenCalled();
  });

  it("was not sent where the store fails, and may be sent again", async () => {
    const { server, store, jobs } = await startWith(queued());
    const { swap } = store;
    store.swap = () => {
      throw new Error("full");
    };

    const error = await rejection(jobs.submit(paidJob));

    expect(error).toMatchObject({ code: "store", outcome: "not-sent", action: "generate-ad" });
    store.swap = swap;
    expect(await jobs.submit(paidJob)).toMatchObject({ job_id: "job-1" });
    expect(server.received).toHaveLength(1);
  });

  it("ends within 100 ms of an abort while the store hangs, and nothing is sent", async () => {
    const { server, store, jobs } = await startWith(queued());
    store.swap = () => new Promise(() => {});
    const controller = new AbortController();
    setTimeout(() => controller.abort("enough"), 10);

    const error = await rejection(jobs.submit(paidJob, { signal: controller.signal }));

    expect(error).toMatchObject({ code: "aborted", outcome: "not-sent", cause: "enough" });
    expect(server.received).toEqual([]);
  });

  it("has a brand on record, which nothing waits for", async () => {
    const { jobs, client } = await startWith(success({ id: "brand-1", name: "Sun" }, 201));

    await client.brands.create({ name: "Sun" });

    expect(await jobs.recover()).toEqual({ waiting: [], unknown: [], underWay: [], damaged: [] });
  });
});

describe("jobs.recover", () => {
  it("gives an unknown submission the recent jobs that no record names", async () => {
    const { open, jobs } = await startWith(queued("a"), reset, listOf("c", "b", "a"));
    await jobs.submit(paidJob);
    await rejection(jobs.submit({ ...paidJob, prompt: "Lost" }));

    const { waiting, unknown } = await open().jobs.recover();

    expect(waiting).toMatchObject([{ job_id: "a" }]);
    expect(unknown).toMatchObject([{ why: "connection", request: { prompt: "Lost" } }]);
    expect(unknown[0]?.candidates).toEqual([job("c"), job("b")]);
  });

  it("asks for as many jobs as it is told to", async () => {
    const { server, jobs } = await startWith(reset, listOf());
    await rejection(jobs.submit(paidJob));

    await jobs.recover({ candidateLimit: 50 });

    expect(server.received[1]?.url).toBe("/v1/jobs?limit=50");
  });

  it("tells a submission that is under way as such, here and elsewhere", async () => {
    let answer = (): void => {};
    const late: Answer = (response, request) => {
      answer = () => queued("a")(response, request);
    };
    const { server, open, jobs } = await startWith(late);
    const submitted = jobs.submit(paidJob);
    await expect.poll(() => server.received).toHaveLength(1);

    for (const asked of [jobs, open().jobs]) {
      const { unknown, underWay } = await asked.recover();
      expect(unknown).toEqual([]);
      expect(underWay).toMatchObject([{ request: paidJob, leftMs: expect.any(Number) }]);
    }

    answer();
    await submitted;
    expect(await jobs.recover()).toMatchObject({ underWay: [], waiting: [{ job_id: "a" }] });
  });

  it("says for how long a job may still be listed, whatever the clock does", async () => {
    const { open, jobs } = await startWith(reset, listOf());
    await rejection(jobs.submit(paidJob));
    const later = open();
    const mayArrive = async (options?: object) =>
      (await later.jobs.recover(options)).unknown.map(({ mayStillArrive }) => mayStillArrive);

    for (const days of [10, -10]) {
      vi.spyOn(Date, "now").mockReturnValue(Date.now() + days * 24 * 3_600_000);
      expect(await mayArrive()).toEqual([true]);
    }
    await pause(30);
    expect(await mayArrive({ settleMs: 30 })).toEqual([false]);
    expect(await mayArrive({ settleMs: 60_000 })).toEqual([true]);
    expect(await rejection(later.jobs.recover({ settleMs: -1 }))).toMatchObject({
      code: "invalid_request",
    });
  });

  it("counts from the failure of a submission of its own", async () => {
    const { jobs } = await startWith(reset, listOf());
    await jobs.recover();
    await pause(30);
    await rejection(jobs.submit(paidJob));

    expect(await jobs.recover({ settleMs: 30 })).toMatchObject({
      unknown: [{ mayStillArrive: true }],
    });
  });

  it("gives all but candidates where the service cannot be asked, and says why", async () => {
    const { jobs } = await startWith(queued("a"), reset, failure(401));
    await jobs.submit(paidJob);
    await rejection(jobs.submit(paidJob));

    const recovered = await jobs.recover();

    expect(recovered).toMatchObject({
      waiting: [{ job_id: "a" }],
      unknown: [{ request: paidJob }],
      candidatesError: { code: "unauthorized" },
    });
    expect(recovered.unknown[0]).not.toHaveProperty("candidates");
  });

  it("rejects when the store cannot be read, and ends with its signal", async () => {
    const { store, jobs } = await startWith(queued("a"));
    const cause = new Error("down");
    store.list = () => Promise.reject(cause);
    expect(await rejection(jobs.recover())).toMatchObject({ code: "store", cause });

    store.list = () => new Promise(() => {});
    const signal = AbortSignal.timeout(20);
    expect(await rejection(jobs.recover({ signal }))).toMatchObject({ code: "aborted" });
  });

  it("ends with its signal while the service is asked", async () => {
    const { jobs } = await startWith(reset, silence);
    await rejection(jobs.submit(paidJob));

    const signal = AbortSignal.timeout(20);
    expect(await rejection(jobs.recover({ signal }))).toMatchObject({ code: "aborted" });
  });

  it("needs submissions, and good options", async () => {
    const { jobs } = await startWith(queued("a"));
    const without = clientOf({ url: "http://ads.test" });

    const error = await rejection(without.jobs.recover());
    expect(error).toMatchObject({ code: "config" });
    expect(error.message).toBe(
      "jobs.recover needs submissions: createClient({ submissions: createSubmissions(store) }), " +
        "see adgen-sdk/submissions",
    );
    expect(await rejection(jobs.recover({ candidateLimit: 0.5 }))).toMatchObject({
      code: "invalid_request",
    });
  });
});

describe("createClient", () => {
  it.each([[{}], ["data/submissions"], [null], [createMemoryStore()], [Promise.resolve(null)]])(
    "refuses %s as submissions",
    (submissions) => {
      expect(() =>
        createClient({ baseUrl: "http://a", apiKey: "k", submissions: submissions as never }),
      ).toThrow(
        /submissions must be what createSubmissions\(store\) makes, got (an object|"data|null|a Promise)/,
      );
    },
  );
});
