import { spawn } from "node:child_process";

/** End of a command. */
export interface CommandEnd {
  readonly status: number | null;
  /** All that it printed, in both streams. */
  readonly output: string;
}

const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;

/** Runs a command in a folder, and waits for its end. */
export const runCommand = (
  folder: string,
  [command = "", ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<CommandEnd> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: folder,
      env: { PATH, HOME, NODE_COMPILE_CACHE, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 150_000,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += chunk;
      });
    }
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, output }));
  });
