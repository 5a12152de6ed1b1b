/**
 * `npm run conformance`: compares the service at a base URL with the API's document and with the
 * mock's assumptions.
 */
import { runCommand } from "./command.ts";

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) {
  // Once: the second Ctrl-C ends the process.
  process.once(signal, () => {
    console.error("Stopping: deleting what was made …");
    stop.abort();
  });
}

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  signal: stop.signal,
  print: (text) => console.log(text),
  printError: (text) => console.error(text),
});
