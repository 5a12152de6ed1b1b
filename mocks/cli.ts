#!/usr/bin/env node
/** The command `adgen-mock`: arguments, streams and signals of the process. */
import { readFileSync } from "node:fs";
import { runCli } from "./faces/server/cli/run-cli.ts";
import { findStarter, waitForEnd } from "./faces/server/cli/starter.ts";

/** Version of the package, which the build writes here: the built command reads no file for it. */
declare const packageVersion: string | undefined;

/** Reads the version in the source, which nobody has built. */
const readVersion = (): string => {
  const file = new URL("../package.json", import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")).version;
};

const stopping = new AbortController();

/** The first signal stops the server gracefully, the second one ends the process. */
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const) {
  process.on(signal, () => {
    if (stopping.signal.aborted) process.exit(code);
    stopping.abort();
  });
}

// The reader of the log may leave (`adgen-mock | head`): the service goes on without it.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const stdinEnded = (): Promise<void> =>
  new Promise((resolve) => {
    for (const event of ["end", "close", "error"]) process.stdin.on(event, () => resolve());
    process.stdin.resume();
  });

const starterEnded = (): Promise<void> => {
  // Deno asks its user before it shows a variable, and its npm starts no process.
  const isThere = "Deno" in globalThis ? undefined : findStarter(process.env);
  return isThere === undefined ? new Promise(() => {}) : waitForEnd(isThere);
};

process.exitCode = await runCli(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  version: typeof packageVersion === "string" ? packageVersion : readVersion(),
  stopping: stopping.signal,
  stdinEnded,
  starterEnded,
});

// A standard input that is open, or a file that is still being read, would keep the process.
setTimeout(() => process.exit(), 50).unref();
