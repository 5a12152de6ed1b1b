import { describe, expect, it } from "vitest";
import { pollJob, pollJobs, watchJob } from "../../src/index.ts";
import { queued } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

// biome-ignore lint/suspicious/noExplicitAny: the arguments are wrong on purpose
type Any = any;

const pollNames =
  "it has intervalMs, maxIntervalMs, targetDelayMs, timeoutMs, signal, waker, onUpdate, onPollFailed";
const wrap = { action: "generate-ad" };

/** Each row: a call that is refused before anything is sent, and what its refusal says. */
const calls: [string, (client: Any) => Any, ...string[]][] = [
  ["jobs.get with an id", (c) => c.jobs.get({ id: "j" }), "job id", "pass job.job_id or the job"],
  [
    "jobs.submit, null",
    (c) => c.jobs.submit(paidJob, null),
    "jobs.submit takes an object",
    "got null",
  ],
  [
    "jobs.submit, a controller",
    (c) => c.jobs.submit(paidJob, { signal: new AbortController() }),
    "signal must be an AbortSignal",
    "got an object",
  ],
  [
    "jobs.submitAndPoll, headers",
    (c) => c.jobs.submitAndPoll(paidJob, { headers: {} }),
    'jobs.submitAndPoll has no option "headers"',
    pollNames,
  ],
  [
    "pollJob, interval",
    (c) => pollJob(c, "j", { interval: 1 } as Any),
    "pollJob has no option",
    pollNames,
  ],
  ["pollJob, null", (c) => pollJob(c, "j", null as Any), "pollJob takes an object: {", "got null"],
  ["pollJob without a client", (c) => pollJob("j" as Any, c), "takes a client first", 'got "j"'],
  [
    "watchJob without a client",
    async () => watchJob(undefined as Any, "j"),
    "watchJob takes a client",
  ],
  [
    "pollJobs, a page",
    (c) => pollJobs(c, { items: [] } as Any),
    "of jobs.list(): its items",
    "an object",
  ],
  ["pollJobs, an id", (c) => pollJobs(c, "j" as Any), "for one job: pollJob", 'got "j"'],
  [
    "pollJobs, limit",
    (c) => pollJobs(c, [], { limit: 5 } as Any),
    'pollJobs has no option "limit"',
    "concurrency",
  ],
  ["jobs.list, a text", (c) => c.jobs.list("abc"), "query must be an object", 'got "abc"'],
  ["jobs.list, null", (c) => c.jobs.list(null), "query must be an object", "got null"],
  ["jobs.list, timeoutMs", (c) => c.jobs.list({ timeoutMs: 5 }), "query.timeoutMs is an option of"],
  [
    "jobs.list, limit",
    (c) => c.jobs.list({ limit: -1 }),
    "query.limit must be a whole number",
    "got -1",
  ],
  [
    "jobs.list, a list",
    (c) => c.jobs.list({ status: ["a"] }),
    "query.status must be text, a",
    "got an array",
  ],
  [
    "brands.list, limit",
    (c) => c.brands.list({ limit: 5 }),
    'brands.list has no option "limit"',
    "query",
  ],
  [
    "bytes",
    (c) => c.jobs.submit({ ...wrap, images: [new Uint8Array(1)] }),
    "request.images[0] cannot be sent: it is binary",
    "send a URL or a data URL as text",
  ],
  [
    "a date",
    (c) => c.jobs.submit({ ...wrap, at: new Date("no") }),
    "request.at",
    "an invalid date",
  ],
  [
    "NaN",
    (c) => c.jobs.submit({ ...wrap, variations: Number.NaN }),
    "request.variations",
    "it is NaN",
  ],
  [
    "a Map",
    (c) => c.jobs.submit({ ...wrap, at: new Map() }),
    "request.at",
    "a Map",
    "send plain objects",
  ],
];

describe("a call", () => {
  it.each(calls)(
    "with a mistake says what is wrong, and what to do: %s",
    async (_, call, ...parts) => {
      const server = await listen(queued());

      const error = await rejection((async () => call(clientOf(server)))());

      expect(error).toMatchObject({ name: "InvalidRequestError", code: "invalid_request" });
      for (const part of parts) expect(error.message).toContain(part);
      expect(server.sockets.size).toBe(0);
    },
  );

  it.each([
    ["jobs.get", (c: Any, id: string) => c.jobs.get(id)],
    ["pollJob", (c: Any, id: string) => pollJob(c, id)],
  ])("never quotes an id that it refuses: %s", async (_, call) => {
    const server = await listen(queued());

    const error = await rejection(call(clientOf(server), `secret\n${"x".repeat(1_000)}`));

    expect(JSON.stringify(error)).not.toContain("xxx");
    expect(error.message).not.toContain("secret");
  });
});
