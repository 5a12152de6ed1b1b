import { afterEach, describe, expect, test, vi } from "vitest";
import {
  createManualClock,
  createMockService,
  type MockServiceOptions,
} from "../../mocks/index.ts";
import { createAsk, failure } from "./ask.ts";

const start = Date.UTC(2026, 0, 1);
const minute = 60_000;

const setUp = (options: MockServiceOptions = {}) => {
  const clock = createManualClock(start);
  const service = createMockService({ clock, ...options });
  const ask = createAsk(service);
  const submit = async (body: object = { action: "generate-ad" }): Promise<string> =>
    (await ask("POST", "/v1/jobs", body)).data.job_id;
  const look = async (id: string) => {
    const { status, data, error, headers } = await ask("GET", `/v1/jobs/${id}`);
    return { status, data, error, state: data?.status, retryAfter: headers.get("retry-after") };
  };
  return { clock, service, account: service.account("test-key"), ask, submit, look };
};

describe("a job, by default", () => {
  test("moves one state on with each poll, and asks for the next one at once", async () => {
    const { submit, look } = setUp();
    const id = await submit();
    expect(await look(id)).toMatchObject({ state: "processing", retryAfter: "0" });
    expect(await look(id)).toMatchObject({ state: "completed", retryAfter: null });
    expect(await look(id)).toMatchObject({ state: "completed", retryAfter: null });
  });

  test("expires 30 minutes after its submission", async () => {
    const { submit, look, clock } = setUp();
    const [early, late] = [await submit(), await submit()];
    await look(late);
    clock.advance(30 * minute - 1);
    expect((await look(early)).state).toBe("processing");
    clock.advance(1);
    for (const id of [early, late]) {
      const { status, data, retryAfter } = await look(id);
      expect(status).toBe(200);
      expect(data).toEqual({
        job_id: id,
        status: "failed",
        action: "generate-ad",
        created_at: "2026-01-01T00:00:00.000Z",
        error: "Job expired",
      });
      expect(retryAfter).toBeNull();
    }
  });
});

describe("a job by a timeline", () => {
  const timeline = { queuedMs: 2_500, processingMs: 4_000 };

  test("changes at its times, however often it is looked at", async () => {
    const { submit, look, clock } = setUp({ timeline });
    const id = await submit();
    for (const [time, state, retryAfter] of [
      [0, "queued", "3"],
      [0, "queued", "3"],
      [1_500, "queued", "1"],
      [2_499, "queued", "1"],
      [2_500, "processing", "4"],
      [6_499, "processing", "1"],
      [6_500, "completed", null],
    ] as const) {
      clock.setTime(start + time);
      expect(await look(id), `after ${time} ms`).toMatchObject({ state, retryAfter });
    }
  });

  test("never goes back, even when the system's time does", async () => {
    vi.useFakeTimers({ now: start });
    const ask = createAsk(createMockService({ timeline }));
    const { data } = await ask("POST", "/v1/jobs", { action: "copy-ad" });
    vi.setSystemTime(start + 3_000);
    expect((await ask("GET", "/v1/jobs")).data.jobs[0].status).toBe("processing");
    vi.setSystemTime(start - minute);
    expect((await ask("GET", `/v1/jobs/${data.job_id}`)).data.status).toBe("processing");
  });

  afterEach(() => {
    vi.useRealTimers();
  });
});

describe("an expired job", () => {
  test("takes finished ones with it when the options say so", async () => {
    const { submit, look, clock, ask, service } = setUp({ expiry: "all-not-found" });
    const [finished, unfinished] = [await submit(), await submit()];
    await look(finished);
    await look(finished);
    clock.advance(minute);
    const young = await submit();
    const listed = async () =>
      (await ask("GET", "/v1/jobs")).data.jobs.map(({ job_id }: { job_id: string }) => job_id);
    clock.advance(29 * minute - 1);
    expect((await look(finished)).state).toBe("completed");
    expect(service.jobs.search().counts).toEqual({
      queued: 2,
      processing: 0,
      completed: 1,
      failed: 0,
    });
    expect(await listed()).toEqual([young, unfinished, finished]);
    clock.advance(1);
    for (const id of [finished, unfinished]) {
      expect(await look(id)).toMatchObject({ status: 404, error: "Job not found" });
      expect(service.jobs.find(id)).toBeUndefined();
      expect(service.jobs.inspect(id)).toBeUndefined();
    }
    expect(await listed()).toEqual([young]);
    expect(service.jobs.search().counts).toEqual({
      queued: 1,
      processing: 0,
      completed: 0,
      failed: 0,
    });
    expect(service.account("test-key").charges).toHaveLength(3);
    service.jobs.complete(young);
    clock.advance(minute);
    expect(await listed()).toEqual([]);
    expect(service.jobs.search().total).toBe(0);
  });
});

describe("a job that a test makes fail", () => {
  test("is paid back into the pots it came from, once, when the options say so", async () => {
    const { submit, service, account, clock } = setUp({
      refundFailedJobs: true,
      accounts: { "test-key": { credits: { image: { monthly: 3, purchased: 5 } } } },
    });
    const jobId = await submit({ action: "generate-ad", variations: 4 });
    service.jobs.fail(jobId);
    clock.advance(60 * minute);
    expect(account.credits.image).toEqual({ monthly: 3, purchased: 5 });
    expect(account.ledger.slice(-2)).toEqual([
      { at: start, credit: "image", monthly: -3, purchased: -1, reason: "charge", jobId },
      { at: start, credit: "image", monthly: 3, purchased: 1, reason: "refund", jobId },
    ]);
  });
});

describe("the list of jobs", () => {
  test.each(["0", "-1", "1.5", "", "ten", "1e3", "Infinity", "99999999999"])(
    "refuses a limit of %j",
    async (limit) => {
      const { ask } = setUp();
      const { status, text } = await ask("GET", `/v1/jobs?limit=${limit}`);
      expect(status).toBe(400);
      expect(text).toBe(failure("Invalid parameter limit: expected a positive integer"));
    },
  );
});
