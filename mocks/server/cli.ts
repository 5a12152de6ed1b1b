#!/usr/bin/env node
/** The command `adgen-mock`: arguments, streams and signals of the process. */
import { readFileSync } from "node:fs";
import { runCli } from "./run-cli.ts";

/** Version of the package. The build inserts it, so that the built command reads no file. */
declare const packageVersion: string | undefined;

/** Reads the version if the command runs from its source. */
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

/** Reads the parent and the group of a process. Without `/proc`, both are `undefined`. */
const readFamily = (pid: number): { readonly parent?: string; readonly group?: string } => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program is in brackets, and may itself contain spaces and brackets.
    const [, parent = "", group = ""] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { parent, group };
  } catch {
    return {};
  }
};

/**
 * Stops when the npm, npx or other package manager that started this process has ended. A signal to npx
 * ends npx and its shell, but isn't passed on to their command. A process that leads its own group
 * was detached on purpose. Deno is left out, because it would ask the user for permission to read
 * the variable.
 */
const stopWithStarter = (): void => {
  if ("Deno" in globalThis || process.env["npm_config_user_agent"] === undefined) return;
  if (readFamily(process.pid).group === String(process.pid)) return;
  // The shell of an npx that was killed lives on with another parent.
  const readAncestors = () => `${process.ppid} ${readFamily(process.ppid).parent}`;
  const ancestors = readAncestors();
  const checking = setInterval(() => {
    if (readAncestors() === ancestors) return;
    clearInterval(checking);
    console.error("adgen-mock: it stops, because the npm or npx that started it has ended");
    stopping.abort();
  }, checkEveryMs).unref();
};

// The reader of the log may end, as in `adgen-mock | head`. The service goes on.
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
