import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { failure, queued, silence, stallBody, success } from "../helpers/answers.ts";
import { accepted, submitJob } from "../helpers/calls.ts";
import { pause } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { runNode } from "../helpers/run-node.ts";
import { hang, holdUp, play, refuse } from "../helpers/virtual-time.ts";

const scriptOf = (name: string): URL => new URL(`children/${name}.ts`, import.meta.url);
const pathOf = (name: string): string => fileURLToPath(scriptOf(name));

it.each([
  [0, 0],
  [4, 0],
  [5, 20],
  [20, 20],
  [40, 40],
  [3_000, 1_000],
])("a timer that is %i ms late leaves %i ms to read what arrived", async (lateMs, graceMs) => {
  const late = (answer: () => unknown) => () => {
    holdUp(lateMs);
    return answer();
  };
  const inTime = () =>
    new Promise((resolve) => setTimeout(() => resolve(accepted()), 499 + graceMs));

  const lost = await play([late(hang)], submitJob, { timeoutMs: 500 });
  const read = await play([late(inTime)], submitJob, { timeoutMs: 500 });

  expect(lost.error).toMatchObject({ code: "timeout", outcome: "unknown" });
  expect(lost.ms).toBe(500 + lateMs + graceMs);
  expect(read.data).toMatchObject({ job_id: "job-1" });
});

it("a late timer allows no other attempt, which would hide a refusal", async () => {
  const options = { totalTimeoutMs: 800, hooks: { onFailure: () => holdUp(1_000) } };
  const answers = [refuse(429, { "retry-after": "0.2" }), accepted];
  const { error, sentAt } = await play(answers, submitJob, options);
  expect(error).toMatchObject({ code: "rate_limited", outcome: "refused" });
  expect(sentAt).toEqual([0]);
});

/** How long a process is held up once its request has arrived: twice its timeout. */
const holdMs = 1_600;

/** Answers while the process that asks is held up. */
const meanwhile: Answer = (response, request) => {
  setTimeout(() => queued()(response, request), 200);
};

/** Windows has no signal that stops a process. */
const stopped = process.platform === "win32" ? "setImmediate" : "a stopped process";

it.concurrent.each<[string, Answer, string]>([
  ["setImmediate", meanwhile, "job-1"],
  [stopped, meanwhile, "job-1"],
  [stopped, stallBody(202), "timeout"],
])("a process held up in %s reads the response that came (%#)", async (place, answer, end) => {
  const arrived = Promise.withResolvers<void>();
  const server = await listen((response, request) => {
    arrived.resolve();
    answer(response, request);
  });
  const args = [pathOf("late-timer"), server.url, place, String(holdMs)];
  const child = spawn(process.execPath, args, {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const hold = async (): Promise<void> => {
    await arrived.promise;
    if (place !== "a stopped process") return void child.stdin.write("go\n");
    child.kill("SIGSTOP");
    await pause(holdMs);
    child.kill("SIGCONT");
  };
  void hold();
  let output = "";
  for await (const chunk of child.stdout) output += chunk;

  const [ended, , ms] = output.trim().split(" ");
  expect(server.received).toHaveLength(1);
  expect(ended).toBe(end);
  expect(Number(ms)).toBeGreaterThanOrEqual(end === "timeout" ? holdMs : 0);
  // The call's time, the grace of a late timer, and what an overloaded machine may add.
  expect(Number(ms)).toBeLessThan(800 + holdMs + 1_000 + 20_000);
});

it("a submission that its process blocks until the time is over isn't sent", async () => {
  const server = await listen(queued());
  const args = [server.url, "the call itself", String(holdMs)];
  const { lines } = await runNode(scriptOf("late-timer"), args);
  expect(lines.join()).toMatch(/^timeout not-sent /);
  expect(server.received).toEqual([]);
});

it("a process stays alive while a call is awaited, and ends after the last one", async () => {
  const found = success({ status: "queued" });
  const wait = (seconds: string) => failure(503, "wait", { "retry-after": seconds });
  const server = await listen(
    ...[found, wait("0.5"), found, silence, silence, wait("30")],
    ...[found, success({ status: "completed" }), found],
  );

  const ended = await runNode(scriptOf("process-life"), [server.url]);
  const { code, lines, errors, lingeredMs } = ended;

  expect(errors).toBe("");
  // If a wait didn't keep the process alive, it would end with code 13, without that call's line.
  expect(lines).toEqual([
    "a deaf fetch: timeout 1",
    "an answer: ok",
    "an answer after a wait: ok",
    "silence: timeout 1",
    "an abort: aborted 1",
    "an abort in a wait: aborted 1",
    "a wait for a job: ok",
    "an abort in such a wait: aborted 1",
  ]);
  expect(code).toBe(0);
  expect(lingeredMs).toBeLessThan(2_000);
});

const rounds = Number(process.env["FROZEN_ROUNDS"] ?? 4);
const reset = { "a reset": "resetAndDestroy", "an orderly end": "destroy" } as const;

const itOnUnix = it.skipIf(process.platform === "win32"); // Windows can't stop a process.
itOnUnix.concurrent.each(Object.entries(reset))(
  "a submission after a freeze isn't sent on a connection that met %s meanwhile",
  async (_, end) => {
    const server = await listen((response, request) => {
      const answer = request.method === "POST" ? queued() : success({ jobs: [] });
      answer(response, request);
    });
    const child = spawn(process.execPath, [pathOf("frozen-submits"), server.url, String(rounds)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ends: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      if (line !== "idle") {
        ends.push(line);
        continue;
      }
      child.kill("SIGSTOP");
      await pause(50);
      for (const socket of server.sockets) socket[end]();
      await pause(300);
      child.kill("SIGCONT");
    }
    expect(ends).toEqual(Array(rounds).fill("queued"));
  },
);

it("calls work, and aborts are reported as such, with React Native's signals and without streams", async () => {
  const server = await listen((response, request) => {
    const { method, url, body } = request;
    const id = url.split("/").at(-1) ?? "";
    const isSilent = id === "silent" || body.includes("silent");
    const done = { job_id: id, status: id === "busy" ? "processing" : "completed", result: null };
    const list = url.endsWith("/jobs") ? { jobs: [] } : done;
    const answer = method === "POST" ? queued("job-1") : success(list);
    const isKeyed = method === "GET" || request.headers["idempotency-key"] !== undefined;
    (isSilent ? silence : isKeyed ? answer : failure(400, "no id"))(response, request);
  });

  const { lines, errors } = await runNode(scriptOf("react-native"), [server.url]);

  expect(errors).toBe("");
  expect(lines).toEqual([
    "list: ok",
    "submit: ok",
    "submitAndPoll: ok",
    "submit, aborted before: aborted AbortError",
    "get, aborted: aborted AbortError",
    "submit, aborted: aborted AbortError",
    "pollJob, aborted in a sleep: aborted AbortError",
    "get, too slow: timeout TimeoutError",
    "submitMany: ok",
    "submitMany, aborted: aborted AbortError",
  ]);
});
