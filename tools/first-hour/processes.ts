import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { bunPath, denoPath } from "../runtimes.ts";

/** Longest wait for an event on a busy machine, in milliseconds. */
const maxMs = 300_000;

/** Asks again and again until the answer is neither `undefined` nor `false`. */
export const until = async <T>(
  what: string,
  ask: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> => {
  for (const startedAt = Date.now(); Date.now() - startedAt < maxMs / 3; ) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await pause(50);
  }
  throw new Error(`${what}: not within ${maxMs / 3} ms`);
};

/** Tells whether a server answers at an address. A server that is still starting doesn't. */
export const isThere = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ status }) => status < 500,
    () => false,
  );

/** PATH: this repository's Node, Bun and Deno, then the system's tools, without node_modules. */
const path = [process.execPath, bunPath, denoPath]
  .flatMap((file) => (file === undefined ? [] : [dirname(file)]))
  .concat((process.env["PATH"] ?? "").split(delimiter).filter((folder) => !/node_mod/.test(folder)))
  .join(delimiter);

/** The user's environment, without variables that could change what a command does or prints. */
const ownEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|ADGEN_|NODE_OPTIONS|FORCE_)/.test(name)),
);

const running = new Map<number, { readonly kill: () => Promise<void> }>();

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

/** Starts a command line as the leader of a process group, so that its children can be killed. */
export const start = (
  command: string,
  folder: string,
  env: Readonly<Record<string, string | undefined>> = {},
) => {
  const child = spawn(command, {
    shell: true,
    cwd: folder,
    env: { ...ownEnv, PATH: path, NO_COLOR: "1", NEXT_TELEMETRY_DISABLED: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command} does not start`);
  const ended: Promise<number | null> = once(child, "close").then(([status]) => status);
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      printed += chunk;
    });
  }
  const program = {
    /** Everything that it has printed. */
    printed: () => printed,
    /** Waits until it has printed these words; rejects when it ends without them. */
    says: (words: RegExp) =>
      until(`${command} says ${words}`, () => {
        const hasEnded = child.stdout.closed && child.stderr.closed;
        const found = words.exec(printed);
        if (found === null && hasEnded) throw new Error(`${command} has ended:\n${printed}`);
        return found ?? false;
      }),
    /** Its exit code, once it has ended. */
    ended,
    /** Kills it and what it has started by SIGKILL, and waits for its end. */
    async kill() {
      killGroup(pid);
      await ended;
      running.delete(pid);
    },
  };
  running.set(pid, program);
  return program;
};

/** A process, with everything that it has started. */
export type Program = ReturnType<typeof start>;

/** Runs a command line to its end; gives its exit code, `null` when it took too long. */
export const run = async (...args: Parameters<typeof start>) => {
  const { printed, ended, kill } = start(...args);
  const timer = setTimeout(kill, maxMs);
  const status = await ended;
  clearTimeout(timer);
  await kill();
  return { status, output: printed() };
};

/** Runs a command line that has to succeed; gives what it prints. */
export const runWell = async (...args: Parameters<typeof start>): Promise<string> => {
  const { status, output } = await run(...args);
  if (status !== 0) throw new Error(`${args[0]} ended with ${status}:\n${output.slice(-3000)}`);
  return output;
};
