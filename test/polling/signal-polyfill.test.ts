import { pollJob, pollJobs, watchJob } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { queued } from "../helpers/answers.ts";
import { paidJob, pause } from "../helpers/client.ts";
import { job, startJobService } from "./job-service.ts";

const soon = { intervalMs: 2, maxIntervalMs: 2 };

/** A signal as old polyfills make it: nothing removes its listeners. */
const createPolyfill = () => {
  const listeners: (() => void)[] = [];
  const signal = {
    aborted: false,
    reason: undefined as unknown,
    addEventListener: (_: string, listener: () => void) => void listeners.push(listener),
  };
  const abort = (reason: unknown) => {
    Object.assign(signal, { aborted: true, reason });
    for (const listener of listeners) listener();
  };
  return { signal: signal as unknown as AbortSignal, abort };
};

describe("a signal without removeEventListener", () => {
  test("serves a wait to its good end", async () => {
    const { client } = await startJobService(job("queued"), job("completed"));
    const { signal } = createPolyfill();
    expect(await pollJob(client, "job_1", { ...soon, signal })).toMatchObject({
      status: "completed",
    });
  });

  test("serves submitAndPoll, pollJobs and watchJob", async () => {
    const { signal } = createPolyfill();
    const service = await startJobService(queued("job_7"), job("queued"), job("completed"));
    expect(await service.client.jobs.submitAndPoll(paidJob, { ...soon, signal })).toMatchObject({
      job_id: "job_7",
      status: "completed",
    });
    expect(await pollJobs(service.client, ["a", "b"], { signal })).toMatchObject([
      { ok: true },
      { ok: true },
    ]);
    const statuses: string[] = [];
    for await (const { status } of watchJob(service.client, "a", { signal })) statuses.push(status);
    expect(statuses).toEqual(["completed"]);
  });

  test.each(["pollJob", "watchJob"])("ends a pause of %s at its abort", async (name) => {
    const { client, polls } = await startJobService(job("processing"));
    const { signal, abort } = createPolyfill();
    const options = { intervalMs: 30_000, signal };
    const watch = async () => {
      for await (const _ of watchJob(client, "job_1", options));
    };
    const waited = name === "pollJob" ? pollJob(client, "job_1", options) : watch();
    const caught = waited.catch((error) => error);
    await expect.poll(() => polls.length).toBe(1);
    await pause(20);
    abort("enough");
    const error = await Promise.race([caught, pause(100)]);
    expect(error).toMatchObject({ name: "AbortError", cause: "enough", jobId: "job_1" });
    expect(polls).toHaveLength(1);
  });
});
