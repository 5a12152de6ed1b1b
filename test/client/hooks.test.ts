import { afterEach, expect, it, vi } from "vitest";
import type { CallOptions, FailureEvent } from "../../src/client/index.ts";
import { failure, resetConnection, success } from "../helpers/answers.ts";
import { failing, getJob, listJobs, respondWithData, submitJob } from "../helpers/calls.ts";
import { clientOf, pause, testKey } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { play } from "../helpers/virtual-time.ts";

/** Hooks that record what they see. */
const noting = () => {
  const events: [string, unknown][] = [];
  const note = (name: string) => (event: unknown) => void events.push([name, event]);
  const answered = { onRequest: note("request"), onResponse: note("response") };
  const others = { onFailure: note("failure"), onDrift: note("drift") };
  return { events, hooks: { ...answered, ...others } };
};

const print = vi.spyOn(console, "error").mockImplementation(() => {});
afterEach(() => void print.mockClear());

const busy = failure(503, "busy", { "retry-after": "0", "x-request-id": "req-1" });
const found = success({ status: "queued" }, 200, { "x-request-id": "req-2", "x-credits": "7" });

const call = { operation: "jobs.get", method: "GET", path: "/v1/jobs/a%2Fb" };
const first = { ...call, attempt: 1 };
const second = { ...call, attempt: 2 };
const durationMs = expect.any(Number);
const refusal = { ...first, status: 503, requestId: "req-1" };
const answered = { ...second, status: 200, requestId: "req-2", durationMs };

it.each<[string, Answer, object | undefined, object, line: string]>([
  [
    "a 503",
    busy,
    { ...refusal, retryAfterMs: 0, durationMs },
    { ...refusal, code: "server_error", retryInMs: 50 },
    "answered 503 in N ms (req-1)",
  ],
  [
    "a reset",
    resetConnection,
    undefined,
    { ...first, code: "connection", retryInMs: expect.any(Number) },
    "",
  ],
])(
  "hooks and a log see each request, and its response if there is one, after %s",
  async (...row) => {
    const [, answer, response, refused, answeredLine] = row;
    const { events, hooks } = noting();
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line);
    await clientOf(await listen(answer, found), { hooks, log }).jobs.get("a/b");
    expect(events).toEqual([
      ["request", first],
      ...(response ? [["response", response]] : []),
      ["failure", { ...refused, durationMs }],
      ["request", second],
      ["response", answered],
    ]);
    const code = response ? "server_error" : "connection";
    const ends = [answeredLine, `failed (${code}), again in N ms`, "(attempt 2)"].filter(Boolean);
    expect(lines.map((line) => line.replace(/\d+ ms/, "N ms"))).toEqual(
      ["", ...ends, "answered 200 in N ms (req-2)"].map((end) =>
        `adgen-sdk: GET /v1/jobs/a%2Fb ${end}`.trimEnd(),
      ),
    );
    expect(lines.join()).not.toContain(testKey);
  },
);

it("ADGEN_LOG=debug logs to the console, and a log that fails stops nothing", async () => {
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

it("onFailure has no retryInMs after the last attempt, and a call's onResponse sees each response", async () => {
  const gone = failure(404, "gone", { "x-credits": "0" });
  const { events, hooks } = noting();
  const seen: { readonly headers: Headers }[] = [];
  const onResponse: CallOptions["onResponse"] = (response) => void seen.push(response);

  await failing([busy, gone], ({ jobs }) => jobs.get("j", { onResponse }), { hooks });

  const names = ["request", "response", "failure", "request", "response", "failure"];
  expect(events.map(([name]) => name)).toEqual(names);
  const failures = events.filter(([name]) => name === "failure").map(([, event]) => event);
  expect(failures).toMatchObject([{ retryInMs: 50 }, { retryInMs: undefined, status: 404 }]);
  const facts = { status: 503, requestId: "req-1", retryAfterMs: 0 };
  expect(seen).toMatchObject([facts, { status: 404 }]);
  expect(seen[1]?.headers.get("x-credits")).toBe("0");
});

it("hooks get the time until the headers arrived", async () => {
  const { events, hooks } = noting();
  const slow = async () => {
    await pause(40);
    return respondWithData({ status: "queued" });
  };
  await play([slow], getJob, { hooks });
  expect(events.map(([, event]) => event)).toMatchObject([{}, { durationMs: 40 }]);
});

it("onDrift gets an unknown status on one short line, without the key", async () => {
  const paused = { job_id: "j", status: "paused" };
  const status = `done\n2026-11-22 ERROR \u001b[31m Bearer ${testKey} ${"x".repeat(5_000)}`;
  const { events, hooks } = noting();
  const answers = [paused, { jobs: [paused] }, { status }].map((data) => success(data));
  const client = clientOf(await listen(...answers), { hooks });

  expect(await getJob(client)).toEqual(paused);
  expect(await listJobs(client)).toEqual({ items: [paused], meta: {} });
  await getJob(client);

  const drifts = events.filter(([name]) => name === "drift").map(([, event]) => event);
  const shown = { operation: "jobs.get", method: "GET", path: "/v1/jobs/j" };
  const drift = { ...shown, message: "job status paused" };
  const listed = { ...drift, operation: "jobs.list", path: "/v1/jobs" };
  expect(drifts.slice(0, 2)).toEqual([drift, listed]);
  const { message } = drifts[2] as { message: string };
  expect(message).toMatch(/^job status done 2026-11-22 ERROR/);
  expect(message).not.toContain(testKey);
  expect(message).not.toMatch(/\p{Cc}/u);
  expect(message.length).toBeLessThan(100);
});

it("hooks can be an instance of a class, whose methods see the instance", async () => {
  class Metrics {
    seen = 0;
    failures: unknown[] = [];
    onRequest() {
      this.seen += 1;
    }
    onFailure({ operation, code, outcome, status }: FailureEvent) {
      this.failures.push([operation, code, outcome, status]);
    }
  }
  const hooks = new Metrics();
  await failing([failure(402, "no credits")], submitJob, { hooks });
  const failure402 = ["jobs.submit", "payment_required", "refused", 402];
  expect(hooks).toMatchObject({ seen: 1, failures: [failure402] });
});

it.each<[string, () => unknown, number]>([
  ["throw", () => expect.fail("a bug in the hook"), 8],
  ["reject", () => Promise.reject(new Error("a bug in the hook")), 8],
  ["reject with undefined", () => Promise.reject(undefined), 8],
  ["never come back", () => new Promise(() => {}), 0],
])("hooks that %s change nothing, and their failures are printed", async (_, bug, printed) => {
  const fail = bug as () => void;
  const server = await listen(busy, success({ status: "paused" }));
  const hooks = {
    onRequest: fail,
    onResponse: fail,
    onFailure: fail,
    onDrift: fail,
  };

  const job = await clientOf(server, { hooks }).jobs.get("j", { onResponse: fail });

  expect(job.status).toBe("paused");
  expect(server.received).toHaveLength(2);
  await expect.poll(() => print).toHaveBeenCalledTimes(printed);
  if (printed > 0) expect(print.mock.calls[0]?.[0]).toBe("adgen-sdk: onRequest failed");
});
