import { createPollTicket, type PollTicket, pollOnce } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { createScriptedClient, seen, useFakedTime } from "./scripted-client.ts";

useFakedTime();

test("one poll gives the ticket of the next one, which stays small, and its time", async () => {
  const { client, polls } = createScriptedClient(["queued", 503, seen("processing", 7)]);
  let ticket = createPollTicket("job_1");
  const waits: number[] = [];
  while (waits.length < 3) {
    const polled = await pollOnce(client, ticket);
    if (polled.done) break;
    waits.push(polled.waitMs);
    ({ ticket } = polled);
  }
  expect(waits).toEqual([2_000, 1_000, 7_000]);
  expect(polls).toHaveLength(3);
  expect(ticket).toMatchObject({ polls: 3, requests: 3, lastJob: { status: "processing" } });
  expect(JSON.stringify(ticket).length).toBeLessThan(500);
});

test("one poll teaches the client how long a job took that was queued when it began", async () => {
  const { client } = createScriptedClient(["completed"]);
  const submitted = { job_id: "job_1", status: "queued", action: "generate-ad" } as const;
  await pollOnce(client, createPollTicket(submitted));
  expect(client.jobs.durations.toJSON().actions["generate-ad"]).toHaveLength(1);
});

test("a clock that was set back by weeks ends no wait", async () => {
  const { client } = createScriptedClient(["queued"]);
  const { startedAt, deadlineAt, ...ticket } = createPollTicket("job_1", {
    timeoutMs: 2 ** 31 - 1,
  });
  const later = { ...ticket, startedAt: startedAt + 1e9, deadlineAt: deadlineAt + 1e9 };
  expect(await pollOnce(client, later)).toMatchObject({ done: false });
});

test("a ticket takes the time of its wait, and of its submission", () => {
  const ticket = createPollTicket("job_1", { timeoutMs: 5_000, submittedAt: 1_000 });
  expect(ticket.deadlineAt - ticket.startedAt).toBe(5_000);
  expect(ticket.submittedAt).toBe(1_000);
  expect(() => createPollTicket("job_1", { timeoutMs: -1 })).toThrow("timeoutMs");
});

describe("pollOnce refuses, before anything is sent,", () => {
  const good = createPollTicket("job_1");

  test.each<[string, unknown, string]>([
    ["no ticket", undefined, "pollOnce's ticket takes an object"],
    ["a job in its place", { job_id: "job_1" }, 'pollOnce\'s ticket has no option "job_id"'],
    ["another version", { ...good, version: 2 }, "ticket.version must be 1"],
    ["an id that climbs", { ...good, jobId: ".." }, "ticket.jobId must be"],
    ["an id that is no text", { ...good, jobId: 7 }, "ticket.jobId must be"],
    ["no deadline", { ...good, deadlineAt: undefined }, "its deadlineAt is missing"],
    ["a deadline that JSON has lost", { ...good, deadlineAt: null }, "ticket.deadlineAt must be"],
    ["a broken count", { ...good, polls: -1 }, "ticket.polls must be"],
    ["a job that is none", { ...good, lastJob: "queued" }, "ticket.lastJob must be"],
    ["half a failure", { ...good, failure: { kind: "x" } }, "ticket.failure"],
    ["half a failure", { ...good, failure: { kind: "x", sinceMs: 5 } }, "ticket.failure"],
    ["half a failure", { ...good, failure: { sinceMs: 5, polls: 1 } }, "ticket.failure"],
  ])("%s", async (_, ticket, message) => {
    const { client, polls } = createScriptedClient(["queued"]);
    const polled = pollOnce(client, ticket as PollTicket);
    await expect(polled).rejects.toMatchObject({ code: "invalid_request" });
    await expect(polled).rejects.toThrow(message);
    expect(polls).toEqual([]);
  });

  test.each([
    ["timeoutMs", { timeoutMs: 5 }],
    ["waker", { waker: undefined }],
  ])("the option %s, which is none of one poll", async (name, options) => {
    const { client } = createScriptedClient(["queued"]);
    const polled = pollOnce(client, good, options as object);
    await expect(polled).rejects.toThrow(`pollOnce has no option "${name}"`);
  });
});
