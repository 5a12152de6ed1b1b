import { createLearnedDurations, type PollTicket } from "adgen-sdk";
import type { LookData } from "adgen-sdk/bullmq";
import { DelayedError } from "bullmq";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createPollStep, type PollSetting } from "../../src/bullmq/poll-step.ts";
import { makeError } from "../../src/errors/make-error.ts";

const day = 86_400_000;
const startedAt = Date.parse("2026-01-01T00:00:00Z");

beforeEach(() => {
  vi.useFakeTimers({ now: startedAt });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Answer {
  readonly status?: string;
  readonly retryAfterMs?: number;
  readonly error?: Error;
}

type Get = (
  ref: unknown,
  options: { onResponse: (response: { retryAfterMs: number | undefined }) => void },
) => Promise<unknown>;

const timeoutMs = 600_000;

/** Without durations, polls are planned every two seconds, with a spread of a fifth of a second. */
const openStep = (next: () => Answer) => {
  const get: Get = async (_, { onResponse }) => {
    const { status, retryAfterMs, error } = next();
    onResponse({ retryAfterMs });
    if (error) throw error;
    return { job_id: "job-1", status };
  };
  const setting = {
    client: { jobs: { get } },
    brakes: { leftMs: async () => 0, slow: async () => {} },
    learned: createLearnedDurations(),
    durations: { learn: async () => {}, tell: async () => {} },
    timeoutMs,
  };
  return createPollStep(setting as unknown as PollSetting);
};

/** A BullMQ job, as far as a poll uses it. Its data passes Redis as JSON. */
const keepJob = (data: Partial<LookData> = {}) => ({
  data: {
    ...{ id: "a", jobId: "job-1", action: "generate-ad" },
    ...{ submittedAt: startedAt, waitingSince: startedAt, ...data },
  } as LookData,
  pollAt: 0,
  async updateData(next: LookData) {
    this.data = JSON.parse(JSON.stringify(next));
  },
  async updateProgress() {},
  async moveToDelayed(at: number) {
    this.pollAt = at;
  },
});

/** Polls once more, and says how long the next poll is then away. */
const pollOn = async (
  { poll }: ReturnType<typeof openStep>,
  job: ReturnType<typeof keepJob>,
): Promise<number> => {
  const polled = poll(job as unknown as Parameters<typeof poll>[0]);
  await expect(polled).rejects.toThrow(DelayedError);
  const waitMs = job.pollAt - Date.now();
  vi.setSystemTime(job.pollAt);
  return waitMs;
};

describe("the next poll", () => {
  test("is spread, so that many workers do not poll at the same moment", async () => {
    const step = openStep(() => ({ status: "queued" }));
    const waits: number[] = [];
    for (let count = 0; count < 50; count++) waits.push(await pollOn(step, keepJob()));
    expect(new Set(waits).size).toBeGreaterThan(10);
  });

  test("keeps its plan after 20 polls that were asked for at once", async () => {
    const step = openStep(() => ({ status: "queued", retryAfterMs: 0 }));
    const job = keepJob();
    for (let polls = 1; polls <= 20; polls++) expect(await pollOn(step, job)).toBe(0);
    for (let polls = 21; polls <= 40; polls++) {
      expect(await pollOn(step, job)).toBeGreaterThan(1_500);
    }
    expect(job.data.ticket).toMatchObject({ version: 1, jobId: "job-1", polls: 40, requests: 40 });
  });

  test("comes within a minute beside a status that is unknown, and at a growing pace", async () => {
    const answers: Answer[] = [{ status: "mystery", retryAfterMs: day }, { status: "mystery" }];
    const step = openStep(() => answers.shift() ?? { status: "mystery", retryAfterMs: 0 });
    const job = keepJob();
    expect(await pollOn(step, job)).toBe(60_000);
    const waits: number[] = [];
    for (let polls = 2; polls <= 10; polls++) waits.push(await pollOn(step, job));
    expect(waits[0]).toBeGreaterThanOrEqual(1_200);
    expect(waits[0]).toBeLessThanOrEqual(1_800);
    expect(waits.at(-1)).toBeGreaterThanOrEqual(8_000);
    expect(waits.at(-1)).toBeLessThanOrEqual(12_000);
  });

  test("after a failure comes within a minute, or a quarter of the time that is left", async () => {
    const error = makeError("server_error", "503", { status: 503, retryAfterMs: day });
    const step = openStep(() => ({ error, retryAfterMs: day }));
    const job = keepJob();
    expect(await pollOn(step, job)).toBe(60_000);
    vi.setSystemTime(startedAt + timeoutMs - 40_000);
    expect(await pollOn(step, job)).toBeGreaterThanOrEqual(10_000);
    expect(job.data.ticket).toMatchObject({ failedPolls: 2 });
  });
});

test("a wait that an earlier version has begun keeps its deadline", async () => {
  const step = openStep(() => ({ status: "processing" }));
  const earlier = { isTimed: true, looks: 7, status: "queued", unfinishedMs: 5, failures: [] };
  const job = keepJob(earlier as Partial<LookData>);
  vi.setSystemTime(startedAt + 60_000);
  await pollOn(step, job);
  const ticket: Partial<PollTicket> = { polls: 1, startedAt, deadlineAt: startedAt + timeoutMs };
  expect(job.data.ticket).toMatchObject(ticket);
  expect(job.data.ticket?.lastJob?.status).toBe("processing");
});

test("the first poll after a submission follows the wait of its answer", () => {
  const { firstWait } = openStep(() => ({}));
  const known = { state: "known", action: "generate-ad", digest: "", jobId: "job-1" } as const;
  const record = { ...known, openElsewhere: 0, isComplete: false };
  expect(firstWait(record)).toBe(0);
  const submittedAt = Date.now() - 1_000;
  expect(firstWait({ ...record, submittedAt, retryAfterMs: 5_000 })).toBe(4_000);
  expect(firstWait({ ...record, submittedAt, retryAfterMs: day })).toBeLessThanOrEqual(2_200);
});
