import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Ended {
  readonly code: number | null;
  /** Printed lines. */
  readonly lines: readonly string[];
  readonly errors: string;
  /** Milliseconds from the last printed line to the end of the process. */
  readonly lingeredMs: number;
}

/** Runs a script in a Node of its own, and waits for its end. */
export const runNode = (
  script: URL,
  args: readonly string[] = [],
  flags: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, fileURLToPath(script), ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 150_000,
      env: { ...process.env, ...environment },
    });
    let output = "";
    let errors = "";
    let lastLineAt = performance.now();
    child.stdout.on("data", (chunk) => {
      output += chunk;
      lastLineAt = performance.now();
    });
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      const lines = output.split("\n").filter(Boolean);
      resolve({ code, lines, errors, lingeredMs: performance.now() - lastLineAt });
    });
  });
