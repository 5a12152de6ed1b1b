#!/usr/bin/env node
/** Starts the command `adgen-submissions` with the arguments and the streams of the process. */
import process from "node:process";
import { runCommand } from "./command/run-command.ts";

process.exitCode = await runCommand(process.argv.slice(2), {
  print: (text) => process.stdout.write(`${text}\n`),
  printError: (text) => process.stderr.write(`${text}\n`),
});
