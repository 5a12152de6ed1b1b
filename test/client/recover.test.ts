import { describe, expect, it, vi } from "vitest";
import { createClient } from "../../src/client/index.ts";
import { createMemoryStore, recoverJobs } from "../../src/submissions/index.ts";
import { failure, queued, reset, silence, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { once, startWith } from "./paid-scene.ts";

it("records no submission without an id, and none that is refused here", async () => {
  const { store, jobs } = await startWith(queued());
  const swap = vi.spyOn(store, "swap");
  await jobs.submit(paidJob);
  await rejection(jobs.submit({ ...paidJob, variations: Number.NaN }, { once }));
  await rejection(jobs.submit(paidJob, { once, timeoutMs: -1 }));
  await rejection(jobs.submit(paidJob, { once, signal: AbortSignal.abort() }));
  expect(swap).not.toHaveBeenCalled();
});

describe("recoverJobs", () => {
  it("asks the service for candidates of what is unknown", async () => {
    const listed = ["c", "b", "a"].map((job_id) => ({ job_id, status: "queued" }));
    const answers = [queued("a"), reset, success(listed), failure(401)];
    const { server, openNext, jobs } = await startWith(...answers);
    await jobs.submit(paidJob, { once: "a" });
    await rejection(jobs.submit({ ...paidJob, prompt: "Lost" }, { once }));

    const { unknown } = await recoverJobs(openNext(), { candidateLimit: 50 });

    expect(unknown).toMatchObject([{ why: "connection", request: { prompt: "Lost" } }]);
    expect(unknown[0]?.candidates).toEqual(listed.slice(0, 2));
    expect(server.received[2]?.url).toBe("/v1/jobs?limit=50");
    expect(await rejection(recoverJobs({ jobs }))).toMatchObject({ code: "unauthorized" });
  });

  it("rejects when the store cannot be read, and ends with its signal", async () => {
    const { store, jobs } = await startWith(reset, silence);
    const { list } = store;
    const cause = new Error("down");
    store.list = () => Promise.reject(cause);
    expect(await rejection(recoverJobs({ jobs }))).toMatchObject({ code: "store", cause });

    store.list = list;
    await rejection(jobs.submit(paidJob, { once }));
    const signal = AbortSignal.timeout(20);
    expect(await rejection(recoverJobs({ jobs }, { signal }))).toMatchObject({ code: "aborted" });
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
