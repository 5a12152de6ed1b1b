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

describe("a job with a planned time", () => {
  test("completes when it ends together with the 30 minutes, and is not paid back", async () => {
    const { service, account, submit, look, clock } = setUp({ refundFailedJobs: true });
    service.jobs.next({ takesMs: 30 * minute });
    const id = await submit();
    clock.advance(30 * minute);
    expect(account.credits.image).toEqual({ monthly: 99, purchased: 0 });
    expect((await look(id)).state).toBe("completed");
    clock.advance(minute);
    expect(account.credits.image).toEqual({ monthly: 99, purchased: 0 });
  });

  test.each([
    ["fails by itself when it ends together with the 30 minutes", 30 * minute, "moderation"],
    ["expires when it ends a moment later", 30 * minute + 1, "Job expired"],
  ])("%s, and is paid back then", async (_, takesMs, error) => {
    const { service, account, submit, look, clock } = setUp({ refundFailedJobs: true });
    service.jobs.next({ takesMs, fail: "moderation" });
    const id = await submit();
    clock.advance(30 * minute - 1);
    expect(account.credits.image.monthly).toBe(99);
    clock.advance(1);
    expect(account.ledger.at(-1)).toMatchObject({ at: start + 30 * minute, reason: "refund" });
    expect(await look(id)).toMatchObject({ data: { status: "failed", error } });
  });
});

describe("a job that a test ends", () => {
  test.each(["fail", "expire"] as const)(
    "by %s is paid back after the credits of a month that has begun meanwhile",
    async (end) => {
      const { service, account, submit, clock } = setUp({ refundFailedJobs: true });
      clock.setTime(Date.UTC(2026, 1, 1) - minute);
      const id = await submit();
      clock.advance(2 * minute);
      service.jobs[end](id);
      expect(account.ledger.slice(-3).map(({ reason }) => reason)).toEqual([
        "charge",
        "renewal",
        "refund",
      ]);
      expect(account.credits.image).toEqual({ monthly: 101, purchased: 0 });
    },
  );
});

describe("a job, by default", () => {
  test("moves one state on with each poll, and asks for the next one at once", async () => {
    const { submit, look } = setUp();
    const id = await submit();
    expect(await look(id)).toMatchObject({ state: "processing", retryAfter: "0" });
    expect(await look(id)).toMatchObject({ state: "completed", retryAfter: null });
    expect(await look(id)).toMatchObject({ state: "completed", retryAfter: null });
  });

  test("says already at its submission that there is nothing to wait for", async () => {
    const { ask } = setUp();
    const { headers } = await ask("POST", "/v1/jobs", { action: "copy-ad" });
    expect(headers.get("retry-after")).toBe("0");
  });

  test("is not moved on by the list, nor by polls at another job", async () => {
    const { submit, look, ask } = setUp();
    const id = await submit();
    await look(await submit());
    await ask("GET", "/v1/jobs");
    const { data } = await ask("GET", "/v1/jobs");
    expect(data.jobs.map((job: { status: string }) => job.status)).toEqual([
      "processing",
      "queued",
    ]);
    expect((await look(id)).state).toBe("processing");
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

  test("stays completed for ever", async () => {
    const { submit, look, clock } = setUp();
    const id = await submit();
    await look(id);
    await look(id);
    clock.advance(31 * minute);
    expect((await look(id)).state).toBe("completed");
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

  test("may be looked at right after its submission, because a test may move the clock", async () => {
    for (const options of [
      { timeline },
      { timeline: { queuedMs: 0, processingMs: 4_000 } },
      { timeline: { "generate-ad": timeline } },
      { timeline: { queuedMs: Number.POSITIVE_INFINITY, processingMs: 0 } },
    ]) {
      const { ask } = setUp(options);
      const { status, headers } = await ask("POST", "/v1/jobs", { action: "copy-ad" });
      expect(status).toBe(202);
      expect(headers.get("retry-after"), JSON.stringify(options)).toBe("0");
    }
    const { service, ask } = setUp();
    service.jobs.next({ takesMs: 20_000 });
    const { headers } = await ask("POST", "/v1/jobs", { action: "copy-ad" });
    expect(headers.get("retry-after")).toBe("0");
  });

  test("is queued at its submission even when it takes no time", async () => {
    const { ask, look } = setUp({ timeline: { queuedMs: 0, processingMs: 0 } });
    const { data, headers } = await ask("POST", "/v1/jobs", { action: "copy-ad" });
    expect(data.status).toBe("queued");
    expect(headers.get("retry-after")).toBe("0");
    expect((await look(data.job_id)).state).toBe("completed");
  });

  test("expires when it takes longer than 30 minutes", async () => {
    const { submit, look, clock } = setUp({
      timeline: { queuedMs: 0, processingMs: Number.POSITIVE_INFINITY },
    });
    const id = await submit();
    clock.advance(30 * minute - 1);
    expect(await look(id)).toMatchObject({ state: "processing", retryAfter: "1" });
    clock.advance(1);
    expect(await look(id)).toMatchObject({ state: "failed", data: { error: "Job expired" } });
  });

  test("completes when it finishes with the 30th minute", async () => {
    const { submit, look, clock } = setUp({
      timeline: { queuedMs: 10 * minute, processingMs: 20 * minute },
    });
    const id = await submit();
    clock.advance(40 * minute);
    expect((await look(id)).state).toBe("completed");
  });

  test("runs by the system's time, which fake timers drive", async () => {
    vi.useFakeTimers();
    const service = createMockService({ timeline });
    const ask = createAsk(service);
    const { data } = await ask("POST", "/v1/jobs", { action: "copy-ad" });
    vi.advanceTimersByTime(2_500);
    expect((await ask("GET", `/v1/jobs/${data.job_id}`)).data.status).toBe("processing");
    vi.advanceTimersByTime(4_000);
    expect((await ask("GET", `/v1/jobs/${data.job_id}`)).data.status).toBe("completed");
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
  test("is not found when the options say so, neither by its id nor in the list", async () => {
    const { submit, look, clock, ask } = setUp({ expiry: "not-found" });
    const [finished, unfinished] = [await submit(), await submit()];
    await look(finished);
    await look(finished);
    clock.advance(30 * minute);
    expect(await look(unfinished)).toMatchObject({ status: 404, error: "Job not found" });
    expect((await look(finished)).state).toBe("completed");
    expect((await ask("GET", "/v1/jobs")).data.jobs).toHaveLength(1);
  });

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

  test("is paid back at the moment of its expiry, once, when the options say so", async () => {
    const { submit, look, clock, account } = setUp({ refundFailedJobs: true });
    const completed = await submit();
    await look(completed);
    await look(completed);
    clock.advance(minute);
    const jobId = await submit({ action: "generate-ad", variations: 3 });
    expect(account.credits.image.monthly).toBe(96);
    clock.advance(45 * minute);
    expect(account.credits.image.monthly).toBe(99);
    await look(jobId);
    expect(account.ledger.slice(4)).toEqual([
      {
        at: start + 31 * minute,
        credit: "image",
        monthly: 3,
        purchased: 0,
        reason: "refund",
        jobId,
      },
    ]);
  });

  test("pays for the next one with the refund", async () => {
    const { ask, clock } = setUp({
      refundFailedJobs: true,
      accounts: { "test-key": { credits: { image: { monthly: 1 } } } },
    });
    const submit = () => ask("POST", "/v1/jobs", { action: "copy-ad" });
    expect((await submit()).status).toBe(202);
    expect((await submit()).status).toBe(402);
    clock.advance(30 * minute);
    expect((await submit()).status).toBe(202);
    expect((await submit()).status).toBe(402);
  });
});

describe("a job that a test makes fail", () => {
  test("says why, and stays charged", async () => {
    const { submit, look, service, account } = setUp();
    const id = await submit();
    const before = account.ledger;
    service.jobs.fail(id, "moderation");
    const { status, data, retryAfter } = await look(id);
    expect(status).toBe(200);
    expect(data).toMatchObject({ job_id: id, status: "failed", error: "moderation" });
    expect(data).not.toHaveProperty("result");
    expect(retryAfter).toBeNull();
    expect(account.ledger).toEqual(before);
  });

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

  test("fails without a refund when it was free", async () => {
    const { submit, service, account, look } = setUp({ refundFailedJobs: true });
    const id = await submit({ action: "generate-ad-copy" });
    service.jobs.fail(id);
    expect((await look(id)).data.error).toBe("Generation failed");
    expect(account.ledger).toHaveLength(2);
  });

  test("must be there and unfinished", async () => {
    const { submit, look, service } = setUp();
    const id = await submit();
    await look(id);
    await look(id);
    expect(() => service.jobs.fail(id)).toThrow("has finished");
    expect((await look(id)).state).toBe("completed");
    expect(() => service.jobs.fail("job_unknown")).toThrow("no job job_unknown");
  });
});

describe("the list of jobs", () => {
  test("holds the newest first", async () => {
    const { submit, ask } = setUp();
    const [first, second, third] = [await submit(), await submit(), await submit()];
    const ids = async (query: string) =>
      (await ask("GET", `/v1/jobs${query}`)).data.jobs.map((job: { job_id: string }) => job.job_id);
    expect(await ids("")).toEqual([third, second, first]);
    expect(await ids("?limit=2")).toEqual([third, second]);
    expect(await ids("?limit=50&other=1")).toEqual([third, second, first]);
  });

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
