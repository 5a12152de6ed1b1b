#!/usr/bin/env node
/** The command `adgen-submissions`: arguments and streams of the process. */
import process from "node:process";
import { runCommand } from "./command/run-command.ts";

process.exitCode = await runCommand(process.argv.slice(2), {
  print: (text) => process.stdout.write(`${text}\n`),
  printError: (text) => process.stderr.write(`${text}\n`),
});
