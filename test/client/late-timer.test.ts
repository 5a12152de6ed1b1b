import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { queued, silence, stallBody } from "../helpers/answers.ts";
import { pause } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

const script = fileURLToPath(new URL("children/late-timer.ts", import.meta.url));

/** The time of the call, in the script. */
const timeoutMs = 800;

/** The time for which the process is held up, from when its request has arrived. */
const holdMs = 1_600;

/** The longest time that a late timer leaves for what lies in the socket. */
const graceMs = 1_000;

/** Milliseconds that an overloaded machine may add to any time. */
const slackMs = 20_000;

/** Answers while the process that asks is held up. */
const meanwhile: Answer = (response, request) => {
  setTimeout(() => queued()(response, request), 200);
};

/** Runs the script, holds its process up once its request has arrived, and gives what it prints. */
const run = async (answer: Answer, place: string): Promise<Record<string, unknown>> => {
  const arrived = Promise.withResolvers<void>();
  const server = await listen((response, request) => {
    arrived.resolve();
    answer(response, request);
  });
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
  expect(server.received).toHaveLength(1);
  return JSON.parse(output);
};

const places = ["a timer", "setImmediate", "an I/O callback", "the call itself"];
// Windows has no such signal.
if (process.platform !== "win32") places.push("a stopped process");

describe.concurrent("a timer that is late", () => {
  it.each(places)("leaves time for the answer that is there: held up in %s", async (place) => {
    expect(await run(meanwhile, place)).toMatchObject({ id: "job-1" });
  });

  it.each<[string, Answer, string]>([
    ["no answer", silence, "setImmediate"],
    ["half an answer", stallBody(202), "setImmediate"],
    ["no answer", silence, places.at(-1) ?? ""],
  ])("still ends a call that gets %s, soon after: %#", async (_, answer, place) => {
    const { code, ms } = await run(answer, place);

    expect(code).toBe("timeout");
    expect(ms).toBeGreaterThanOrEqual(holdMs);
    expect(ms).toBeLessThan(timeoutMs + holdMs + graceMs + slackMs);
  });
});
