import { AsyncLocalStorage } from "node:async_hooks";
import { tracingChannel } from "node:diagnostics_channel";
import { inspect } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import {
  createPollTicket,
  type JobRequest,
  pollJob,
  pollJobs,
  pollOnce,
  watchJob,
} from "../../src/index.ts";
import { failure, queued, reset, success } from "../helpers/answers.ts";
import { type Call, failing, submit } from "../helpers/calls.ts";
import { clientOf, testKey } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

type Told = [event: string, context: object];

const leavers: (() => void)[] = [];
afterEach(() => {
  for (const leave of leavers.splice(0)) leave();
});

/** Writes down what the channels tell, as it stands at that moment. */
const listenTo = (...names: readonly ("submit" | "poll" | "wait")[]): Told[] => {
  const told: Told[] = [];
  for (const name of names) {
    const note = (event: string) => (context: object) =>
      void told.push([`${name} ${event}`, { ...context }]);
    const channel = tracingChannel(`adgen-sdk:${name}`);
    const subscribers = {
      start: note("start"),
      end: () => {},
      asyncStart: () => {},
      asyncEnd: note("end"),
      error: note("error"),
    };
    channel.subscribe(subscribers);
    leavers.push(() => channel.unsubscribe(subscribers));
  }
  return told;
};

const eventsOf = (told: readonly Told[]): string[] => told.map(([event]) => event);

const done = success({ job_id: "job_1", status: "completed", action: "generate-ad" });
const processing = success({ job_id: "job_1", status: "processing" }, 200, { "retry-after": "0" });
const wait: Call = (client) => pollJob(client, "job_1");

describe("the diagnostics channels", () => {
  it.each([
    [
      { action: "generate-ad", variations: 3 },
      { kind: "image", amount: 3 },
    ],
    [{ action: "generate-ad" }, { kind: "image", amount: 1 }],
    [{ action: "generate-ad-copy", variations: 4 }, { amount: 0 }],
    [{ action: "video-a-2", duration: 5 }, undefined],
    // A value that stands where an action should is told to nobody.
    [{ action: { prompt: "secret" }, variations: { a: 1 } }, undefined],
  ] as [{ action: unknown }, object | undefined][])(
    "tell of a submission and its price: %j",
    async (request, credits) => {
      const told = listenTo("submit");
      await clientOf(await listen(queued("job_1"))).jobs.submit(request as JobRequest);
      const action = typeof request.action === "string" ? request.action : undefined;
      const begun = { action, credits, once: undefined };
      const end = { jobId: "job_1", outcome: "accepted", attempts: 1, result: undefined };
      expect(told).toEqual([
        ["submit start", begun],
        ["submit end", { ...begun, ...end }],
      ]);
    },
  );
  it.each<[string, Answer]>([
    ["refused", failure(402, "Insufficient credits")],
    ["unknown", reset],
  ])("tell that a submission was %s", async (outcome, answer) => {
    const told = listenTo("submit");
    const { error } = await failing(answer, submit);
    expect(eventsOf(told)).toEqual(["submit start", "submit error", "submit end"]);
    expect(told[2]?.[1]).toMatchObject({ outcome, attempts: 1, error });
    expect(told[2]?.[1]).not.toHaveProperty("jobId", expect.anything());
  });

  const poll = ["poll start", "poll end"];
  const ofPollOnce: Call = (client) => pollOnce(client, createPollTicket("job_1"));
  const ofWatchJob: Call = async (client) => {
    for await (const { status } of watchJob(client, "job_1")) expect(status).toBe("completed");
  };
  it.each<[string, Answer[], Call, string[]]>([
    ["the poll of pollOnce", [done], ofPollOnce, poll],
    ["each step of watchJob", [done], ofWatchJob, ["wait start", ...poll, "wait end"]],
    [
      "each poll, and the wait around them",
      [processing, done],
      wait,
      ["wait start", ...poll, ...poll, "wait end"],
    ],
  ])("tell of %s", async (_, answers, call, events) => {
    const told = listenTo("poll", "wait");
    await call(clientOf(await listen(...answers)));
    expect(eventsOf(told)).toEqual(events);
    const polls = answers.length;
    const isWait = events.includes("wait end");
    expect(told.at(-1)?.[1]).toMatchObject({
      ...{ jobId: "job_1", status: "completed" },
      ...(isWait ? { polls } : { attempts: 1 }),
    });
    if (polls > 1) expect(told[2]?.[1]).toMatchObject({ status: "processing", attempts: 1 });
  });

  it("tell of a wait that fails, and the wait fails as without them", async () => {
    const told = listenTo("wait");
    const { error } = await failing(failure(401, "API key invalid or missing"), wait);
    expect(error.code).toBe("unauthorized");
    expect(eventsOf(told)).toEqual(["wait start", "wait error", "wait end"]);
    expect(told[2]?.[1]).toMatchObject({ error, polls: 1 });
  });

  it("tell each of many waits", async () => {
    const client = clientOf(await listen(done, success({ job_id: "job_2", status: "failed" })));
    const told = listenTo("wait");
    const results = await pollJobs(client, ["job_1", "job_2"], { concurrency: 1 });
    expect(results.map(({ ok }) => ok)).toEqual([true, true]);
    expect(told.filter(([event]) => event === "wait end")).toMatchObject([
      ["wait end", { jobId: "job_1", status: "completed" }],
      ["wait end", { jobId: "job_2", status: "failed" }],
    ]);
  });

  it("hand a tracer's context on to the requests within", async () => {
    const store = new AsyncLocalStorage<string>();
    const { start } = tracingChannel("adgen-sdk:wait");
    start.bindStore(store, () => "span of the wait");
    leavers.push(() => void start.unbindStore(store));
    const seen: unknown[] = [];
    const hooks = { onRequest: () => seen.push(store.getStore()) };
    const client = clientOf(await listen(queued("job_0"), done), { hooks });
    await submit(client);
    await wait(client);
    expect(seen).toEqual([undefined, "span of the wait"]);
  });

  it("change no error, whatever a subscriber does to the event", async () => {
    const { start } = tracingChannel("adgen-sdk:submit");
    const freeze = (context: unknown) => void Object.freeze(context);
    start.subscribe(freeze);
    leavers.push(() => start.unsubscribe(freeze));
    const { error } = await failing(failure(402, "Insufficient credits"), submit);
    expect(error).toMatchObject({ code: "payment_required", outcome: "refused" });
  });

  it("never hold the key", async () => {
    const told = listenTo("submit", "poll", "wait");
    await failing(failure(401, `Who is ${testKey}?`), submit);
    await wait(clientOf(await listen(done)));
    expect(told).toHaveLength(7);
    expect(inspect(told, { depth: 20, showHidden: true })).not.toContain(testKey);
  });
});
