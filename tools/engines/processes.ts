import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Program } from "./engine.ts";

/** Time for one thing to happen, in milliseconds, on a busy machine. */
const longestMs = 60_000;

/** Asks again and again until the answer is neither `undefined` nor `false`. */
export const until = async <T>(
  what: string,
  ask: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> => {
  for (const startedAt = Date.now(); Date.now() - startedAt < longestMs; ) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await pause(50);
  }
  throw new Error(`${what}: not within ${longestMs} ms`);
};

export const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("There is no free port");
  return address.port;
};

const running = new Map<number, Program>();

/** Kills every process that still runs. */
export const killAll = async (): Promise<void> => {
  await Promise.all([...running.values()].map(({ kill }) => kill()));
};

const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
};

process.on("exit", () => {
  for (const pid of running.keys()) killGroup(pid);
});
process.once("SIGINT", () => process.exit(130));

/** Starts a process as the head of a group, so that its children die with it. */
export const startProcess = (
  [command = "", ...args]: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>>,
): Program => {
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command} does not start`);
  const closed = once(child, "close");
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      printed += chunk;
    });
  }
  const program: Program = {
    printed: () => printed,
    async kill() {
      killGroup(pid);
      await closed;
      running.delete(pid);
    },
  };
  running.set(pid, program);
  return program;
};
