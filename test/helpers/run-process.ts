import { type SpawnOptions, spawn } from "node:child_process";

/** End of a process, and what it printed: in each stream, and in both. */
export interface ProcessEnd {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly output: string;
  /** Milliseconds from the last words on `stdout` to the end of the process. */
  readonly lingeredMs: number;
}

/** Runs a command, and waits for its end. */
export const runProcess = (
  [command = "", ...args]: readonly string[],
  options: Pick<SpawnOptions, "cwd" | "env">,
): Promise<ProcessEnd> =>
  new Promise((resolve, reject) => {
    const stdio = ["ignore", "pipe", "pipe"] as const;
    const child = spawn(command, args, { ...options, stdio: [...stdio], timeout: 150_000 });
    const printed = { stdout: "", stderr: "", output: "" };
    let lastWordsAt = performance.now();
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].on("data", (chunk) => {
        printed[stream] += chunk;
        printed.output += chunk;
        if (stream === "stdout") lastWordsAt = performance.now();
      });
    }
    child.on("error", reject);
    child.on("close", (status) =>
      resolve({ ...printed, status, lingeredMs: performance.now() - lastWordsAt }),
    );
  });
