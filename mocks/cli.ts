#!/usr/bin/env node
/** The command `adgen-mock`: arguments, streams and signals of the process. */
import { existsSync, readFileSync } from "node:fs";
import { runCli } from "./faces/server/cli/run-cli.ts";

/** Reads the package's own file: one folder up from the source, two from the build. */
const readVersion = (): string => {
  for (const place of ["../package.json", "../../package.json"]) {
    const file = new URL(place, import.meta.url);
    if (!existsSync(file)) continue;
    const { name, version } = JSON.parse(readFileSync(file, "utf8"));
    if (name === "adgen-sdk") return version;
  }
  return "unknown";
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

process.exitCode = await runCli(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  version: readVersion(),
  stopping: stopping.signal,
});
