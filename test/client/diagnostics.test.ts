import { AsyncLocalStorage } from "node:async_hooks";
import { tracingChannel } from "node:diagnostics_channel";
import { inspect } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  createPollTicket,
  type PollTrace,
  pollJob,
  pollJobs,
  pollOnce,
  type SubmitTrace,
  type WaitTrace,
  watchJob,
} from "../../src/index.ts";
import { failure, queued, reset, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection, testKey } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

type Told = [event: string, context: SubmitTrace | PollTrace | WaitTrace];

const leavers: (() => void)[] = [];
afterEach(() => {
  for (const leave of leavers.splice(0)) leave();
  vi.restoreAllMocks();
});

/** Writes down what the channels tell, as it stands at that moment. */
const listenTo = (...names: readonly ("submit" | "poll" | "wait")[]): Told[] => {
  const told: Told[] = [];
  for (const name of names) {
    const note = (event: string) => (context: object) =>
      void told.push([`${name} ${event}`, { ...context } as SubmitTrace]);
    const subscribers = {
      start: note("start"),
      end: () => {},
      asyncStart: () => {},
      asyncEnd: note("end"),
      error: note("error"),
    };
    const channel = tracingChannel(`adgen-sdk:${name}`);
    channel.subscribe(subscribers);
    leavers.push(() => channel.unsubscribe(subscribers));
  }
  return told;
};

const done = success({ job_id: "job_1", status: "completed", action: "generate-ad" });

describe("the diagnostics channels", () => {
  it("tell of a submission, with its price, job, outcome and attempts", async () => {
    const server = await listen(queued("job_1"));
    const told = listenTo("submit");

    await clientOf(server).jobs.submit({ action: "generate-ad", variations: 3 });

    const begun = { action: "generate-ad", credits: { kind: "image", amount: 3 }, once: undefined };
    const ended = { ...begun, jobId: "job_1", outcome: "accepted", attempts: 1, result: undefined };
    expect(told).toEqual([
      ["submit start", begun],
      ["submit end", ended],
    ]);
  });

  it.each([
    [{ action: "generate-ad" }, { kind: "image", amount: 1 }],
    [{ action: "generate-ad-copy", variations: 4 }, { amount: 0 }],
    [{ action: "video-a-2", duration: 5 }, undefined],
  ] as const)("tell of %j the credits that are known", async (request, credits) => {
    const server = await listen(queued("job_1"));
    const told = listenTo("submit");
    await clientOf(server).jobs.submit(request);
    expect(told[0]?.[1]).toMatchObject({ credits });
  });

  it.each([
    ["refused", failure(402, "Insufficient credits"), { outcome: "refused", attempts: 1 }],
    ["unknown", reset, { outcome: "unknown", attempts: 1 }],
  ])("tell that a submission was %s", async (_, answer, facts) => {
    const server = await listen(answer);
    const told = listenTo("submit");
    const error = await rejection(clientOf(server).jobs.submit(paidJob));
    expect(told.map(([event]) => event)).toEqual(["submit start", "submit error", "submit end"]);
    expect(told.at(-1)?.[1]).toMatchObject({ ...facts, error });
    expect(told.at(-1)?.[1]).not.toHaveProperty("jobId", expect.anything());
  });

  it("tell of each poll and of the wait around them", async () => {
    const processing = success({ job_id: "job_1", status: "processing" }, 200, {
      "retry-after": "0",
    });
    const server = await listen(processing, done);
    const told = listenTo("poll", "wait");

    await pollJob(clientOf(server), "job_1");

    expect(told.map(([event]) => event)).toEqual([
      "wait start",
      ...["poll start", "poll end", "poll start", "poll end"],
      "wait end",
    ]);
    expect(told[2]?.[1]).toMatchObject({ jobId: "job_1", status: "processing", attempts: 1 });
    expect(told.at(-1)?.[1]).toMatchObject({ jobId: "job_1", status: "completed", polls: 2 });
  });

  it("tell of the polls of pollOnce, and of each step of watchJob", async () => {
    const server = await listen(done, done);
    const client = clientOf(server);
    const told = listenTo("poll", "wait");
    await pollOnce(client, createPollTicket("job_1"));
    expect(told.map(([event]) => event)).toEqual(["poll start", "poll end"]);
    for await (const job of watchJob(client, "job_1")) expect(job.status).toBe("completed");
    expect(told.slice(2).map(([event]) => event)).toEqual([
      ...["wait start", "poll start", "poll end"],
      "wait end",
    ]);
  });

  it("tell of a wait that fails, and the wait fails as without them", async () => {
    const server = await listen(failure(401, "API key invalid or missing"));
    const told = listenTo("wait");
    const error = await rejection(pollJob(clientOf(server), "job_1"));
    expect(error.code).toBe("unauthorized");
    expect(told.map(([event]) => event)).toEqual(["wait start", "wait error", "wait end"]);
    expect(told.at(-1)?.[1]).toMatchObject({ error, polls: 1 });
  });

  it("tell each of many waits", async () => {
    const server = await listen(done, success({ job_id: "job_2", status: "failed" }));
    const told = listenTo("wait");
    const results = await pollJobs(clientOf(server), ["job_1", "job_2"], { concurrency: 1 });
    expect(results.map(({ ok }) => ok)).toEqual([true, true]);
    const ends = told.filter(([event]) => event === "wait end").map(([, context]) => context);
    expect(ends).toEqual([
      expect.objectContaining({ jobId: "job_1", status: "completed" }),
      expect.objectContaining({ jobId: "job_2", status: "failed" }),
    ]);
  });

  it("hand a tracer's context on to the requests within", async () => {
    const server = await listen(queued("job_0"), done);
    const store = new AsyncLocalStorage<string>();
    const { start } = tracingChannel("adgen-sdk:wait");
    start.bindStore(store, () => "span of the wait");
    leavers.push(() => void start.unbindStore(store));
    const seen: unknown[] = [];
    const client = clientOf(server, { hooks: { onRequest: () => seen.push(store.getStore()) } });
    await client.jobs.submit(paidJob);
    await pollJob(client, "job_1");
    expect(seen).toEqual([undefined, "span of the wait"]);
  });

  it("change no error, whatever a subscriber does to the event", async () => {
    const server = await listen(failure(402, "Insufficient credits"));
    const { start } = tracingChannel("adgen-sdk:submit");
    const freeze = (context: unknown) => void Object.freeze(context);
    start.subscribe(freeze);
    leavers.push(() => start.unsubscribe(freeze));
    expect(await rejection(clientOf(server).jobs.submit(paidJob))).toMatchObject({
      code: "payment_required",
      outcome: "refused",
    });
  });

  it("tell no value that stands where an action should", async () => {
    const server = await listen(failure(400, "Invalid action"));
    const told = listenTo("submit");
    const odd = { action: { prompt: "secret" }, variations: { a: 1 } };
    await rejection(clientOf(server).jobs.submit(odd as never));
    expect(told[0]?.[1]).toEqual({ action: undefined, once: undefined, credits: undefined });
  });

  it("never hold the key", async () => {
    const server = await listen(failure(401, `Who is ${testKey}?`), done);
    const told = listenTo("submit", "poll", "wait");
    const client = clientOf(server);
    await rejection(client.jobs.submit(paidJob));
    await pollJob(client, "job_1");
    expect(inspect(told, { depth: 20, showHidden: true })).not.toContain(testKey);
  });
});
