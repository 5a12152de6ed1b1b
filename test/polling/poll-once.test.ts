import {
  type AnyAdGenError,
  createClient,
  createPollTicket,
  type PollTicket,
  pollOnce,
  type WaitProgress,
} from "adgen-sdk";
import { assumedSchemas } from "adgen-sdk/assumed";
import { describe, expect, test, vi } from "vitest";
import { failure, success } from "../helpers/answers.ts";
import { clientOf } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import { job, startJobService } from "./job-service.ts";

const viaJson = (ticket: PollTicket): PollTicket => JSON.parse(JSON.stringify(ticket));

describe("one poll", () => {
  test("after the other finishes the job, each in a process of its own", async () => {
    const { client, polls } = await startJobService(
      job("queued"),
      failure(503),
      job("processing"),
      job("completed"),
    );
    let ticket = createPollTicket("job_1");
    const waits: number[] = [];
    for (;;) {
      // Another client stands for another process.
      const polled = await pollOnce({ jobs: { ...client.jobs } }, viaJson(ticket));
      if (polled.done) {
        expect(polled.job).toMatchObject({ job_id: "job_1", status: "completed" });
        break;
      }
      waits.push(polled.waitMs);
      ({ ticket } = polled);
    }
    expect(polls).toHaveLength(4);
    expect(ticket).toMatchObject({ polls: 3, requests: 3, lastJob: { status: "processing" } });
    expect(waits.every((ms) => ms > 500 && ms < 3_000)).toBe(true);
    expect(JSON.stringify(ticket).length).toBeLessThan(500);
  });

  test("gives a failed job as an answer", async () => {
    const { client } = await startJobService(job("failed"));
    const polled = await pollOnce(client, createPollTicket("job_1"));
    expect(polled).toMatchObject({ done: true, job: { status: "failed" } });
  });

  test("keeps the wait that the service asks for", async () => {
    const server = await listen(success({ status: "queued" }, 200, { "retry-after": "7" }));
    const polled = await pollOnce(clientOf(server), createPollTicket("job_1"));
    expect(polled).toMatchObject({ done: false, waitMs: expect.closeTo(7_000, -2) });
  });

  test("sends nothing again by itself", async () => {
    const { client, polls } = await startJobService(failure(503));
    const polled = await pollOnce(client, createPollTicket("job_1"));
    expect(polled).toMatchObject({ done: false, ticket: { failedPolls: 1 } });
    expect(polls).toHaveLength(1);
  });

  test("tells observers", async () => {
    const { client } = await startJobService(job("queued"), failure(500));
    const options = { onUpdate: vi.fn(), onPollFailed: vi.fn() };
    const ticket = createPollTicket("job_1");
    await pollOnce(client, ticket, options);
    await pollOnce(client, ticket, options);
    expect(options.onUpdate).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ status: "queued" }),
      expect.objectContaining({ polls: 1 }),
    );
    expect(options.onPollFailed).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ status: 500 }),
    );
  });

  test("takes no percent back that another poll has told", async () => {
    const { client } = await startJobService(job("processing"));
    client.jobs.durations.add("generate-ad", { afterMs: 9_000, byMs: 9_500 });
    const ref = { job_id: "job_1", action: "generate-ad" } as const;
    let ticket = createPollTicket(ref, { submittedAt: Date.now() - 8_000 });
    const percents: number[] = [];
    const onUpdate = (_: unknown, { estimate }: WaitProgress) =>
      percents.push(estimate?.percent ?? 0);
    for (let polls = 0; polls < 2; polls++) {
      const polled = await pollOnce(client, viaJson(ticket), { onUpdate });
      if (!polled.done) ({ ticket } = polled);
      for (let job = 0; job < 30; job++) {
        client.jobs.durations.add("generate-ad", { afterMs: 100_000, byMs: 110_000 });
      }
    }
    expect(percents[0]).toBeGreaterThan(50);
    expect(percents[1]).toBeGreaterThanOrEqual(Number(percents[0]));
  });

  test("checks the result by the schema of the ticket's action", async () => {
    const server = await listen(success({ status: "completed", result: { images: "none" } }));
    const client = createClient({ baseUrl: server.url, apiKey: "key", schemas: assumedSchemas });
    const ticket = createPollTicket({ job_id: "job_1", action: "generate-ad" });
    await expect(pollOnce(client, ticket)).rejects.toMatchObject({
      code: "decode",
      jobId: "job_1",
    });
  });

  test("teaches the client how long a job took that was queued when its ticket began", async () => {
    const { client } = await startJobService(job("completed"));
    const submitted = { job_id: "job_1", status: "queued", action: "generate-ad" } as const;
    await pollOnce(client, createPollTicket(submitted));
    expect(client.jobs.durations.toJSON().actions["generate-ad"]).toHaveLength(1);
  });
});

describe("one poll throws", () => {
  test.each([
    ["at once for a 401", 401, {}, { code: "unauthorized", jobId: "job_1", attempts: 3 }],
    ["for a 404 of a job that was seen", 404, {}, { code: "not_found" }],
    [
      "after the deadline",
      503,
      { deadlineAt: 0 },
      { code: "poll_timeout", cause: { status: 503 } },
    ],
  ])("%s", async (_, status, fields, expected) => {
    const { client, polls } = await startJobService(failure(status));
    const lastJob = { job_id: "job_1", status: "processing" } as const;
    const ticket = { ...createPollTicket("job_1"), polls: 2, requests: 2, lastJob, ...fields };
    const error: AnyAdGenError = await pollOnce(client, ticket).catch((thrown) => thrown);
    expect(error).toMatchObject({ ...expected, lastJob });
    expect(error.stack).toContain("poll-once.test.ts");
    expect(polls).toHaveLength(1);
  });

  test("for an aborted signal, before anything is sent", async () => {
    const { client, polls } = await startJobService(job("queued"));
    const signal = AbortSignal.abort("enough");
    await expect(pollOnce(client, createPollTicket("job_1"), { signal })).rejects.toMatchObject({
      code: "aborted",
      cause: "enough",
    });
    expect(polls).toHaveLength(0);
  });

  const good = createPollTicket("job_1");
  test.each<[string, unknown, string]>([
    ["nothing", undefined, "pollOnce's ticket takes an object"],
    ["a job in its place", { job_id: "job_1" }, 'pollOnce\'s ticket has no option "job_id"'],
    ["another version", { ...good, version: 2 }, "ticket.version must be 1"],
    ["an id that climbs", { ...good, jobId: ".." }, "ticket.jobId must be"],
    ["an id that is no text", { ...good, jobId: 7 }, "ticket.jobId must be"],
    ["no deadline", { ...good, deadlineAt: undefined }, "its deadlineAt is missing"],
    ["a deadline that JSON has lost", { ...good, deadlineAt: null }, "ticket.deadlineAt must be"],
    ["a broken count", { ...good, polls: -1 }, "ticket.polls must be"],
    ["a job that is none", { ...good, lastJob: "queued" }, "ticket.lastJob must be"],
    ["half a failure", { ...good, failure: { kind: "x" } }, "ticket.failure"],
  ])("for a ticket that is %s", async (_, ticket, message) => {
    const { client, polls } = await startJobService(job("queued"));
    const polled = pollOnce(client, ticket as PollTicket);
    await expect(polled).rejects.toMatchObject({ code: "invalid_request" });
    await expect(polled).rejects.toThrow(message);
    expect(polls).toHaveLength(0);
  });

  test.each([
    ["timeoutMs", { timeoutMs: 5 }],
    ["waker", { waker: undefined }],
  ])("for the option %s, which is none of one poll", async (name, options) => {
    const { client } = await startJobService(job("queued"));
    const polled = pollOnce(client, createPollTicket("job_1"), options as object);
    await expect(polled).rejects.toThrow(`pollOnce has no option "${name}"`);
  });
});

test.each([
  [{}, "its id"],
  ["..", "its id"],
  [undefined, "its id"],
])("a ticket of %j is refused", (ref, message) => {
  expect(() => createPollTicket(ref as string)).toThrow(message);
});

test("a ticket takes the time of its wait, and of its submission", () => {
  const ticket = createPollTicket("job_1", { timeoutMs: 5_000, submittedAt: 1_000 });
  expect(ticket.deadlineAt - ticket.startedAt).toBe(5_000);
  expect(ticket.submittedAt).toBe(1_000);
  expect(() => createPollTicket("job_1", { timeoutMs: -1 })).toThrow("timeoutMs");
});

test("a clock that was set back by weeks ends no wait", async () => {
  const { client } = await startJobService(job("queued"));
  const ticket = createPollTicket("job_1", { timeoutMs: 2_147_483_647 });
  const later = {
    ...ticket,
    startedAt: ticket.startedAt + 1e9,
    deadlineAt: ticket.deadlineAt + 1e9,
  };
  expect(await pollOnce(client, later)).toMatchObject({ done: false });
});
