import { getEventListeners } from "node:events";
import { type SettledJob, watchJobs } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import { pause } from "../helpers/client.ts";
import { finishAll, idsOf, startListedJobs } from "./listed-jobs.ts";

const soon = { intervalMs: 5, maxIntervalMs: 10 };

describe("watchJobs", () => {
  test("gives each result as it comes, with the job's place", async () => {
    const service = await startListedJobs(5);
    service.statuses.set("job_3", "failed");
    const given: SettledJob[] = [];
    const options = { ...soon, onUpdate: () => {} };
    const refs = [...idsOf(5), undefined as unknown as string];
    for await (const settled of watchJobs(service.client, refs, options)) {
      given.push(settled);
      if (given.length === 2) {
        expect(given.map(({ index }) => index).sort()).toEqual([3, 5]);
        finishAll(service);
      }
    }
    expect(given.map(({ index }) => index).sort()).toEqual([0, 1, 2, 3, 4, 5]);
    for (const { index, jobId, ok, data, error } of given) {
      if (index === 5) expect([jobId, error?.code]).toEqual([undefined, "invalid_request"]);
      else expect([jobId, ok, data?.job_id]).toEqual([`job_${index}`, true, `job_${index}`]);
    }
  });

  test("begins with the first step, and ends all waits where the loop is left", async () => {
    const service = await startListedJobs(5);
    service.statuses.set("job_0", "completed");
    const { signal } = new AbortController();
    const results = watchJobs(service.client, idsOf(5), { ...soon, signal });
    await pause(20);
    expect(service.lists).toHaveLength(0);
    for await (const { jobId } of results) {
      expect(jobId).toBe("job_0");
      break;
    }
    const asked = service.lists.length + service.singles.length;
    await pause(50);
    expect(service.lists.length + service.singles.length).toBeLessThanOrEqual(asked + 1);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  test("ends at return() also while no result is there", async () => {
    const service = await startListedJobs(5);
    const results = watchJobs(service.client, idsOf(5), soon);
    const pending = results.next();
    await expect.poll(() => service.lists.length).toBeGreaterThan(0);
    expect(await results.return()).toEqual({ done: true, value: undefined });
    expect(await pending).toMatchObject({ done: true });
  });

  test("gives an abort as the result of each job", async () => {
    const service = await startListedJobs(5);
    const controller = new AbortController();
    const codes: unknown[] = [];
    setTimeout(() => controller.abort(), 20);
    const options = { ...soon, signal: controller.signal };
    for await (const { error } of watchJobs(service.client, idsOf(5), options)) {
      codes.push(error?.code);
    }
    expect(codes).toEqual(Array(5).fill("aborted"));
  });

  test("refuses bad input at once, and throws what is none of this library's errors", async () => {
    const { client } = await startListedJobs(1);
    expect(() => watchJobs(client, "job_1" as never)).toThrow("watchJobs takes a list of jobs");
    expect(() => watchJobs(["job_1"] as never, client as never)).toThrow("takes a client first");
    expect(() => watchJobs(client, [], { concurrency: 0 })).toThrow("concurrency must be");
    const bug = new TypeError("somebody's wrapper");
    const broken = { jobs: { get: () => Promise.reject(bug) } };
    await expect(watchJobs(broken, ["a"]).next()).rejects.toBe(bug);
    expect(await watchJobs(client, []).next()).toEqual({ done: true, value: undefined });
  });

  test("throws such an error where the loop comes to it, and leaves none unhandled", async () => {
    const bug = new TypeError("somebody's wrapper");
    const get = vi.fn(async (): Promise<never> => {
      await pause(5);
      throw bug;
    });
    get.mockResolvedValueOnce({ job_id: "a", status: "completed", result: null } as never);
    const results = watchJobs({ jobs: { get } }, ["a", "b", "c"]);
    expect(await results.next()).toMatchObject({ value: { jobId: "a", ok: true } });
    await pause(30);
    await expect(results.next()).rejects.toBe(bug);
  });
});
