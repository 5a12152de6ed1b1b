import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { queued, stallBody } from "../helpers/answers.ts";
import { accepted, submit } from "../helpers/calls.ts";
import { pause } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { hang, holdUp, play, refuse } from "../helpers/virtual-time.ts";

describe("a timer that is late", () => {
  it.each([
    [0, 0],
    [4, 0],
    [5, 20],
    [20, 20],
    [40, 40],
    [3_000, 1_000],
  ])("by %i ms leaves %i ms to read what came meanwhile", async (lateMs, graceMs) => {
    const late = (answer: () => unknown) => () => {
      holdUp(lateMs);
      return answer();
    };
    const inTime = () =>
      new Promise((resolve) => setTimeout(() => resolve(accepted()), 499 + graceMs));

    const lost = await play([late(hang)], submit, { timeoutMs: 500 });
    const read = await play([late(inTime)], submit, { timeoutMs: 500 });

    expect(lost.error).toMatchObject({ code: "timeout", outcome: "unknown" });
    expect(lost.ms).toBe(500 + lateMs + graceMs);
    expect(read.data).toMatchObject({ job_id: "job-1" });
  });

  it("leaves no time for another attempt, which would hide a refusal", async () => {
    const options = { totalTimeoutMs: 800, hooks: { onRetry: () => holdUp(1_000) } };
    const answers = [refuse(429, { "retry-after": "0.2" }), accepted];
    const { error, sentAt } = await play(answers, submit, options);
    expect(error).toMatchObject({ code: "rate_limited", outcome: "refused" });
    expect(sentAt).toEqual([0]);
  });
});

/** The time for which a process is held up, from when its request has arrived: twice its timeout. */
const holdMs = 1_600;

/** Answers while the process that asks is held up. */
const meanwhile: Answer = (response, request) => {
  setTimeout(() => queued()(response, request), 200);
};

/** Windows has no signal that stops a process. */
const stopped = process.platform === "win32" ? "setImmediate" : "a stopped process";

describe.concurrent("a process that is held up over the time of its call", () => {
  it.each<[string, string, Answer, string]>([
    ["reads the answer that is there", "the call itself", meanwhile, "job-1"],
    ["reads the answer that is there", stopped, meanwhile, "job-1"],
    ["ends the call with half an answer soon after", stopped, stallBody(202), "timeout"],
  ])("%s, held up in %s", async (_, place, answer, end) => {
    const arrived = Promise.withResolvers<void>();
    const server = await listen((response, request) => {
      arrived.resolve();
      answer(response, request);
    });
    const script = fileURLToPath(new URL("children/late-timer.ts", import.meta.url));
    const child = spawn(process.execPath, [script, server.url, place, String(holdMs)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const hold = async (): Promise<void> => {
      await arrived.promise;
      if (place !== "a stopped process") {
        child.stdin.write("go\n");
        return;
      }
      child.kill("SIGSTOP");
      await pause(holdMs);
      child.kill("SIGCONT");
    };
    void hold();
    let output = "";
    for await (const chunk of child.stdout) output += chunk;

    const [ended, ms] = output.trim().split(" ");
    expect(server.received).toHaveLength(1);
    expect(ended).toBe(end);
    expect(Number(ms)).toBeGreaterThanOrEqual(end === "timeout" ? holdMs : 0);
    // The call's time, the grace of a late timer, and what an overloaded machine may add.
    expect(Number(ms)).toBeLessThan(800 + holdMs + 1_000 + 20_000);
  });
});
