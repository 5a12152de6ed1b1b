import { createHash } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { createClient, pollJobs, recoverJobs } from "../../src/index.ts";
import { createMemoryStore } from "../../src/submissions.ts";
import { failure, queued, reset, silence, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection, testKey } from "../helpers/client.ts";
import { startWith } from "./paid-scene.ts";

describe("a submission without an id", () => {
  it("is on record for a later process, oldest first, until its job is acknowledged", async () => {
    const completed = success({ status: "completed", result: 1 });
    const { server, openNext, store, jobs } = await startWith(queued("a"), queued("b"), completed);
    const swap = vi.spyOn(store, "swap");
    const images = [`data:image/png;base64,${"A".repeat(5_000)}`];
    await jobs.submit({ ...paidJob, images });
    await jobs.submit({ action: "video-a-2", prompt: "Later" });
    const { client, submissions } = openNext();

    const { waiting } = await recoverJobs(client);

    const sorted = { action: "generate-ad", images, prompt: "Summer sale" };
    const canonical = JSON.stringify(["jobs.submit", sorted]);
    const cut = `data:image/png;base64,${"A".repeat(178)}… (5022 characters)`;
    expect(waiting).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-z]+-[0-9a-f]{32}$/),
        job_id: "a",
        method: "jobs.submit",
        action: "generate-ad",
        submittedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        request: { ...paidJob, images: [cut] },
        digest: createHash("sha256").update(canonical).digest("hex"),
        ...{ origin: server.url, baseUrl: server.url, attemptMs: 60_000 },
        keyDigest: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
      expect.objectContaining({ job_id: "b", action: "video-a-2" }),
    ]);
    expect(JSON.stringify(swap.mock.calls)).not.toContain(testKey);
    expect(server.received).toHaveLength(2);
    const [first] = await pollJobs(client, waiting);
    if (first?.ok) await submissions.acknowledge(first.data);
    expect((await recoverJobs(openNext())).waiting).toMatchObject([{ job_id: "b" }]);
  });

  it("is not on record where it is refused here", async () => {
    const { store, jobs } = await startWith(queued());
    const swap = vi.spyOn(store, "swap");

    await rejection(jobs.submit({ ...paidJob, variations: Number.NaN }));
    await rejection(jobs.submit(paidJob, { timeoutMs: -1 }));
    await rejection(jobs.submit(paidJob, { signal: AbortSignal.abort() }));

    expect(swap).not.toHaveBeenCalled();
  });
});

describe("recoverJobs", () => {
  it("gives the doubts of another account no candidates", async () => {
    const { server, openNext, jobs } = await startWith(reset);
    await rejection(jobs.submit(paidJob));
    const told = await recoverJobs(openNext({ apiKey: "other" }));
    const message = expect.stringContaining("of another API key");
    expect(told).toMatchObject({ unknown: [{}], candidatesError: { code: "config", message } });
    expect(server.received).toHaveLength(1);
  });

  it("asks the service for candidates of what is unknown, and says why it gives none", async () => {
    const listed = ["c", "b", "a"].map((job_id) => ({ job_id, status: "queued" }));
    const answers = [queued("a"), reset, success(listed), failure(401)];
    const { server, openNext, jobs } = await startWith(...answers);
    await jobs.submit(paidJob);
    await rejection(jobs.submit({ ...paidJob, prompt: "Lost" }));

    const { waiting, unknown } = await recoverJobs(openNext(), { candidateLimit: 50 });
    const without = await recoverJobs({ jobs });

    expect(waiting).toMatchObject([{ job_id: "a" }]);
    expect(unknown).toMatchObject([{ why: "connection", request: { prompt: "Lost" } }]);
    expect(unknown[0]?.candidates).toEqual(listed.slice(0, 2));
    expect(server.received[2]?.url).toBe("/v1/jobs?limit=50");
    expect(without).toMatchObject({ waiting, candidatesError: { code: "unauthorized" } });
    expect(without.unknown[0]).not.toHaveProperty("candidates");
  });

  it("rejects when the store cannot be read, and ends with its signal", async () => {
    const { store, jobs } = await startWith(reset, silence);
    const { list } = store;
    const cause = new Error("down");
    store.list = () => Promise.reject(cause);
    expect(await rejection(recoverJobs({ jobs }))).toMatchObject({ code: "store", cause });

    store.list = () => new Promise(() => {});
    const endsInTime = async () => {
      const signal = AbortSignal.timeout(20);
      expect(await rejection(recoverJobs({ jobs }, { signal }))).toMatchObject({ code: "aborted" });
    };
    await endsInTime();
    store.list = list;
    await rejection(jobs.submit(paidJob));
    await endsInTime();
  });

  it("needs submissions, and good ones", async () => {
    const error = await rejection(recoverJobs(clientOf({ url: "http://ads.test" })));

    expect(error).toMatchObject({ code: "config" });
    expect(error.message).toBe(
      "recoverJobs needs submissions: createClient({ submissions: createSubmissions(store) }), " +
        "see adgen-sdk/submissions",
    );
    const store = createMemoryStore();
    for (const given of [{}, "data/submissions", null, store, Promise.resolve(null)]) {
      const create = () =>
        createClient({ baseUrl: "http://a", apiKey: "k", submissions: given as never });
      expect(create).toThrow(
        /submissions must be what createSubmissions\(store\) makes, got (an object|"data|null|a Promise)/,
      );
    }
  });
});
