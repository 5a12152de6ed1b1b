import { AsyncLocalStorage } from "node:async_hooks";
import { tracingChannel } from "node:diagnostics_channel";
import { inspect } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { CallOptions, JobRequest } from "../../src/index.ts";
import { createPollTicket, pollJob, pollJobs, pollOnce, watchJob } from "../../src/index.ts";
import { createMemoryStore, createSubmissions } from "../../src/submissions.ts";
import { failure, queued, reset, success } from "../helpers/answers.ts";
import { type Call, failing, get, list, respond, submit } from "../helpers/calls.ts";
import { clientOf, paidJob, pause, testKey } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { play } from "../helpers/virtual-time.ts";

/** Hooks that write down what they see. */
const noting = () => {
  const events: [string, unknown][] = [];
  const note = (name: string) => (event: unknown) => void events.push([name, event]);
  const answered = { onRequest: note("request"), onResponse: note("response") };
  return { events, hooks: { ...answered, onRetry: note("retry"), onDrift: note("drift") } };
};

const print = vi.spyOn(console, "error").mockImplementation(() => {});
afterEach(() => void print.mockClear());

const busy = failure(503, "busy", { "retry-after": "0", "x-request-id": "req-1" });
const found = success({ status: "queued" }, 200, { "x-request-id": "req-2", "x-credits": "7" });

describe("hooks", () => {
  const call = { method: "GET", path: "/v1/jobs/a%2Fb" };
  const first = { ...call, attempt: 1 };
  const second = { ...call, attempt: 2 };
  const durationMs = expect.any(Number);
  const refusal = { ...first, status: 503, requestId: "req-1" };
  const answered = { ...second, status: 200, requestId: "req-2", durationMs };

  it.each<[string, Answer, object | undefined, object]>([
    [
      "each answer",
      busy,
      { ...refusal, retryAfterMs: 0, durationMs },
      { ...refusal, code: "server_error", waitMs: 50 },
    ],
    ["none", reset, undefined, { ...first, code: "connection", waitMs: expect.any(Number) }],
  ])("see each request, and its answer where there is one: %s", async (...row) => {
    const [, answer, response, retry] = row;
    const { events, hooks } = noting();
    await clientOf(await listen(answer, found), { hooks }).jobs.get("a/b");
    expect(events).toEqual([
      ["request", first],
      ...(response ? [["response", response]] : []),
      ["retry", retry],
      ["request", second],
      ["response", answered],
    ]);
  });

  it("stand beside a log: a line for each request, answer and retry, without the key", async () => {
    const lines: string[] = [];
    const { events, hooks } = noting();
    const { jobs } = clientOf(await listen(busy, found), {
      hooks,
      log: (line) => lines.push(line),
    });
    await jobs.get("a/b");
    const shown = lines.map((line) => line.replace(/\d+ ms/, "N ms"));
    expect(shown).toEqual([
      "adgen-sdk: GET /v1/jobs/a%2Fb",
      "adgen-sdk: GET /v1/jobs/a%2Fb answered 503 in N ms (req-1)",
      "adgen-sdk: GET /v1/jobs/a%2Fb failed (server_error), again in N ms",
      "adgen-sdk: GET /v1/jobs/a%2Fb (attempt 2)",
      "adgen-sdk: GET /v1/jobs/a%2Fb answered 200 in N ms (req-2)",
    ]);
    expect(events).toHaveLength(5);
    expect(shown.join()).not.toContain(testKey);
  });

  it("write to the console where the environment asks for it, and a log that fails stops nothing", async () => {
    vi.stubEnv("ADGEN_LOG", "debug");
    await clientOf(await listen(found)).jobs.get("a");
    expect(print.mock.calls.flat()).toContain("adgen-sdk: GET /v1/jobs/a");
    vi.stubEnv("ADGEN_LOG", "");
    print.mockClear();
    await clientOf(await listen(found)).jobs.get("a");
    expect(print).not.toHaveBeenCalled();
    vi.unstubAllEnvs();
    const log = async () => {
      throw new Error("the disk is full");
    };
    const { jobs } = clientOf(await listen(busy, found), { log });
    expect((await jobs.get("a")).status).toBe("queued");
    await expect.poll(() => print).toHaveBeenCalledTimes(5);
    const said = new Set(print.mock.calls.map(([what]) => what));
    expect(said).toEqual(new Set(["adgen-sdk: log failed"]));
  });

  it("see no retry after the last attempt; a call's own onResponse sees each answer", async () => {
    const gone = failure(404, "gone", { "x-credits": "0" });
    const { events, hooks } = noting();
    const seen: { readonly headers: Headers }[] = [];
    const onResponse: CallOptions["onResponse"] = (response) => void seen.push(response);

    await failing([busy, gone], ({ jobs }) => jobs.get("j", { onResponse }), { hooks });

    const names = ["request", "response", "retry", "request", "response"];
    expect(events.map(([name]) => name)).toEqual(names);
    const facts = { status: 503, requestId: "req-1", retryAfterMs: 0 };
    expect(seen).toMatchObject([facts, { status: 404 }]);
    expect(seen[1]?.headers.get("x-credits")).toBe("0");
  });

  it("are told how long the headers took", async () => {
    const { events, hooks } = noting();
    const slow = async () => {
      await pause(40);
      return respond({ status: "queued" });
    };
    await play([slow], get, { hooks });
    expect(events.map(([, event]) => event)).toMatchObject([{}, { durationMs: 40 }]);
  });

  it("are told of an unknown status, on one line, without the key and bounded", async () => {
    const paused = { job_id: "j", status: "paused" };
    const status = `done\n2026-11-22 ERROR \u001b[31m Bearer ${testKey} ${"x".repeat(5_000)}`;
    const { events, hooks } = noting();
    const answers = [paused, { jobs: [paused] }, { status }].map((data) => success(data));
    const client = clientOf(await listen(...answers), { hooks });

    expect(await get(client)).toEqual(paused);
    expect(await list(client)).toEqual({ items: [paused], meta: {} });
    await get(client);

    const drifts = events.filter(([name]) => name === "drift").map(([, event]) => event);
    const drift = { method: "GET", path: "/v1/jobs/j", message: "job status paused" };
    expect(drifts.slice(0, 2)).toEqual([drift, { ...drift, path: "/v1/jobs" }]);
    const { message } = drifts[2] as { message: string };
    expect(message).toMatch(/^job status done 2026-11-22 ERROR/);
    expect(message).not.toContain(testKey);
    expect(message).not.toMatch(/\p{Cc}/u);
    expect(message.length).toBeLessThan(100);
  });

  it.each<[string, () => unknown, number]>([
    ["throw", () => expect.fail("a bug in the hook"), 8],
    ["reject", () => Promise.reject(new Error("a bug in the hook")), 8],
    ["reject with undefined", () => Promise.reject(undefined), 8],
    ["never come back", () => new Promise(() => {}), 0],
  ])("that %s change nothing, and their failures are printed", async (_, bug, printed) => {
    const fail = bug as () => void;
    const server = await listen(busy, success({ status: "paused" }));
    const hooks = { onRequest: fail, onResponse: fail, onRetry: fail, onDrift: fail };

    const job = await clientOf(server, { hooks }).jobs.get("j", { onResponse: fail });

    expect(job.status).toBe("paused");
    expect(server.received).toHaveLength(2);
    await expect.poll(() => print).toHaveBeenCalledTimes(printed);
    if (printed > 0) expect(print.mock.calls[0]?.[0]).toBe("adgen-sdk: onRequest failed");
  });
});

type Told = [event: string, context: object];

const leavers: (() => void)[] = [];
afterEach(() => {
  for (const leave of leavers.splice(0)) leave();
});

/** Writes down what the channels tell, as it stands at that moment; it must not hold the key. */
const listenTo = (...names: readonly ("submit" | "poll" | "wait")[]): Told[] => {
  const told: Told[] = [];
  leavers.push(() => expect(inspect(told, { depth: 20, showHidden: true })).not.toContain(testKey));
  for (const name of names) {
    const note = (event: string) => (context: object) =>
      void told.push([`${name} ${event}`, { ...context }]);
    const channel = tracingChannel(`adgen-sdk:${name}`);
    const noted = { start: note("start"), asyncEnd: note("end"), error: note("error") };
    const subscribers = { ...noted, end: () => {}, asyncStart: () => {} };
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
  it.each<[action: unknown, more: object, credits: object | undefined]>([
    ["generate-ad", { variations: 3 }, { kind: "image", amount: 3 }],
    ["generate-ad", {}, { kind: "image", amount: 1 }],
    ["generate-ad-copy", { variations: 4 }, { amount: 0 }],
    ["video-a-2", { duration: 5 }, undefined],
    // A value that stands where an action should is told to nobody.
    [{ prompt: "secret" }, { variations: { a: 1 } }, undefined],
  ])("tell of a submission and its price: %j, %j", async (given, more, credits) => {
    const told = listenTo("submit");
    const request = { action: given, ...more } as JobRequest;
    await clientOf(await listen(queued("job_1"))).jobs.submit(request);
    const action = typeof given === "string" ? given : undefined;
    const begun = { action, credits, once: undefined };
    const end = { jobId: "job_1", outcome: "accepted", attempts: 1, result: undefined };
    expect(told).toEqual([
      ["submit start", begun],
      ["submit end", { ...begun, ...end }],
    ]);
  });

  it.each<[string, Answer]>([
    ["refused", failure(402, `Who is ${testKey}?`)],
    ["unknown", reset],
  ])("tell that a submission was %s", async (outcome, answer) => {
    const told = listenTo("submit");
    const { error } = await failing(answer, submit);
    expect(eventsOf(told)).toEqual(["submit start", "submit error", "submit end"]);
    expect(told[2]?.[1]).toMatchObject({ error });
    expect(error).toMatchObject({ outcome, attempts: 1 });
    expect(told[2]?.[1]).not.toHaveProperty("jobId", expect.anything());
  });

  it("tell the attempts of a submission with an id, and that a repeat makes none", async () => {
    const told = listenTo("submit");
    const submissions = createSubmissions(createMemoryStore());
    const { jobs } = clientOf(await listen(queued("job_1")), { submissions });
    for (const attempts of [1, 0]) {
      await jobs.submit(paidJob, { once: "order-17" });
      const end = { jobId: "job_1", once: "order-17", outcome: "accepted", attempts };
      expect(told.at(-1)).toMatchObject(["submit end", end]);
    }
  });

  const poll = ["poll start", "poll end"];
  const ofPollOnce: Call = (client) => pollOnce(client, createPollTicket("job_1"));
  const ofWatchJob: Call = async (client) => {
    for await (const { status } of watchJob(client, "job_1")) expect(status).toBe("completed");
  };
  it.each<[string, Answer[], Call, string[]]>([
    ["the poll of pollOnce", [done], ofPollOnce, poll],
    ["each step of watchJob", [done], ofWatchJob, ["wait start", ...poll, "wait end"]],
    ["each poll of a wait", [processing, done], wait, ["wait start", ...poll, ...poll, "wait end"]],
  ])("tell of %s", async (_, answers, call, events) => {
    const told = listenTo("poll", "wait");
    await call(clientOf(await listen(...answers)));
    expect(eventsOf(told)).toEqual(events);
    const polls = answers.length;
    const isWait = events.includes("wait end");
    const counted = isWait ? { polls } : { attempts: 1 };
    expect(told.at(-1)?.[1]).toMatchObject({ jobId: "job_1", status: "completed", ...counted });
    if (polls > 1) expect(told[2]?.[1]).toMatchObject({ status: "processing", attempts: 1 });
  });

  it("tell each of many waits, and the failure of one, which fails as without them", async () => {
    const refused = failure(401, `Who is ${testKey}?`);
    const told = listenTo("wait");
    const client = clientOf(await listen(done, refused));
    const [, failed] = await pollJobs(client, ["job_1", "job_2"], { concurrency: 1 });
    expect(failed?.error?.code).toBe("unauthorized");
    const ended = told.filter(([event]) => event !== "wait start");
    expect(eventsOf(ended)).toEqual(["wait end", "wait error", "wait end"]);
    expect(ended[0]?.[1]).toMatchObject({ jobId: "job_1", status: "completed" });
    expect(ended[2]?.[1]).toMatchObject({ jobId: "job_2", error: failed?.error });
    expect(told).toHaveLength(5);
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
});
