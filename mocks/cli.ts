#!/usr/bin/env node
/** The command `adgen-mock`: arguments, streams and signals of the process. */
import { readFileSync } from "node:fs";
import { runCli } from "./faces/server/run-cli.ts";

/** Version of the package, which the build writes here: the built command reads no file for it. */
declare const packageVersion: string | undefined;

/** Reads the version in the source, which nobody has built. */
const readVersion = (): string => {
  const file = new URL("../package.json", import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")).version;
};

const stopping = new AbortController();

/** The first signal stops the server gracefully, the second one ends the process. */
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort();
  });
}

// The reader of the log may leave (`adgen-mock | head`): the service goes on without it.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

process.exitCode = await runCli(process.argv.slice(2), {
  print: (text) => console.log(text),
  printError: (text) => console.error(text),
  version: typeof packageVersion === "string" ? packageVersion : readVersion(),
  stopping: stopping.signal,
});
