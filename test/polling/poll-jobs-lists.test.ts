import { pollJobs } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { pause } from "../helpers/client.ts";
import { job, startJobService } from "./job-service.ts";

const soon = { intervalMs: 2, maxIntervalMs: 2 };

describe("a list that throws", () => {
  const bug = new Error("the cursor was lost");

  test("rejects where it throws midway, and leaves no wait behind", async () => {
    const { client, polls } = await startJobService(job("processing"));
    const ids = function* () {
      yield "job_1";
      yield "job_2";
      throw bug;
    };
    await expect(pollJobs(client, ids(), soon)).rejects.toBe(bug);
    await pause(50);
    expect(polls).toHaveLength(0);
  });

  test("rejects where a job in it cannot be read, and leaves no wait behind", async () => {
    const { client, polls } = await startJobService(job("processing"));
    const unreadable = {
      get job_id(): string {
        throw bug;
      },
    };
    await expect(pollJobs(client, [{ job_id: "job_1" }, unreadable], soon)).rejects.toBe(bug);
    await pause(50);
    expect(polls).toHaveLength(0);
  });
});

describe("a list", () => {
  test("may be a generator, and is read once", async () => {
    const { client, polls } = await startJobService(job("completed"));
    let steps = 0;
    const ids = function* () {
      for (const id of ["a", "b", "c"]) {
        steps++;
        yield id;
      }
    };
    const results = await pollJobs(client, ids(), soon);
    expect(results).toMatchObject([{ ok: true }, { ok: true }, { ok: true }]);
    expect(steps).toBe(3);
    expect(polls).toHaveLength(3);
  });

  test("with a job that names no id gives that job its error", async () => {
    const { client } = await startJobService(job("completed"));
    const results = await pollJobs(client, ["a", undefined as unknown as string], soon);
    expect(results).toMatchObject([
      { ok: true },
      { ok: false, error: { code: "invalid_request" } },
    ]);
  });
});
