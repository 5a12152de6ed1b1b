import { fileURLToPath } from "node:url";
import { runProcess } from "./run-process.ts";

/** Runs a script in a Node of its own, and waits for its end. */
export const runNode = async (
  script: URL,
  args: readonly string[] = [],
  flags: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
) => {
  const command = [process.execPath, ...flags, fileURLToPath(script), ...args];
  const { status, stdout, stderr, lingeredMs } = await runProcess(command, {
    env: { ...process.env, ...environment },
  });
  return { code: status, lines: stdout.split("\n").filter(Boolean), errors: stderr, lingeredMs };
};
