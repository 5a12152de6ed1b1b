#!/usr/bin/env node
/** The command `adgen-mock`: arguments, streams and signals of the process. */
import { readFileSync } from "node:fs";
import { runCli } from "./run-cli.ts";

/** Version of the package, which the build writes here: the built command reads no file for it. */
declare const packageVersion: string | undefined;

/** Reads the version when the command runs from source. */
const readVersion = (): string => {
  const file = new URL("../../package.json", import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")).version;
};

const stopping = new AbortController();

// The first signal stops the server gracefully, the second one ends the process.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort();
  });
}

/** Interval in milliseconds at which the process that started this one is checked. */
const checkEveryMs = 500;

/** Reads the parent and the group of a process. Systems without `/proc` give neither. */
const readFamily = (pid: number): { readonly parent?: string; readonly group?: string } => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program's name stands in brackets, and may hold spaces and brackets.
    const [, parent = "", group = ""] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { parent, group };
  } catch {
    return {};
  }
};

/**
 * Stops when the shell of npm, npx or another package manager has ended that started this process.
 * A signal to npx ends npx and its shell, and nothing tells their command. A process that leads its
 * own group was detached on purpose. Deno asks its user before it shows a variable.
 */
const stopWithStarter = (): void => {
  if ("Deno" in globalThis || process.env["npm_config_user_agent"] === undefined) return;
  if (readFamily(process.pid).group === String(process.pid)) return;
  // A shell outlives an npx that was killed: it has another parent then.
  const readAncestors = () => `${process.ppid} ${readFamily(process.ppid).parent}`;
  const ancestors = readAncestors();
  const checking = setInterval(() => {
    if (readAncestors() === ancestors) return;
    clearInterval(checking);
    console.error("adgen-mock: stops, because the npm or npx that started it has ended");
    stopping.abort();
  }, checkEveryMs).unref();
};

// The reader of the log may leave (`adgen-mock | head`): the service goes on without it.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

stopWithStarter();

const surroundings = {
  print: (text: string) => console.log(text),
  printError: (text: string) => console.error(text),
  version: typeof packageVersion === "string" ? packageVersion : readVersion(),
  stopping: stopping.signal,
  env: process.env,
};

const [command, ...args] = process.argv.slice(2);

process.exitCode =
  command === "check"
    ? await (await import("./run-check.ts")).runCheck(args, surroundings)
    : await runCli(process.argv.slice(2), surroundings);
