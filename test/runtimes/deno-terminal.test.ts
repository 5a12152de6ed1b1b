// Deno asks its user before a program may read a variable, and waits: in a terminal alone.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { denoPath } from "../../tools/runtimes.ts";
import { bundleProgram, folder } from "./programs.ts";

const program = `
  import { createClient } from "adgen-sdk";
  createClient({ baseUrl: "https://ads.test", apiKey: "test-key" });
  console.log("The client is made.");
`;

/** Runs a command in a pseudo terminal, and gives what it prints until it ends, or stands still. */
const runInTerminal = async (command: string): Promise<string> => {
  const child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
    stdio: ["pipe", "pipe", "inherit"],
    timeout: 60_000,
  });
  let output = "";
  for await (const chunk of child.stdout) {
    output += chunk;
    if (output.includes("Allow?")) child.kill();
  }
  return output;
};

// Linux has a command that makes a terminal, with these options.
test.skipIf(denoPath === undefined || process.platform !== "linux")(
  "createClient asks Deno's user for no right when every needed option is given",
  async () => {
    const source = `${folder}/deno-terminal.source.mjs`;
    writeFileSync(source, program);
    const bundled = await bundleProgram(source, `${folder}/deno-terminal.mjs`);
    const output = await runInTerminal(`${denoPath} run --no-config ${bundled}`);
    expect(output).toContain("The client is made.");
    expect(output).not.toContain("requests");
  },
);
