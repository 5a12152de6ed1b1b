import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const cli = pathOf("../../mocks/cli.ts");
const _starter = pathOf("./children/start-command.ts");

/** Package managers set this for every command that they start. */
const _byNpm = { npm_config_user_agent: "npm/11.0.0" };

const { npm_config_user_agent: _, ...withoutNpm } = process.env;

/** Starts a process, which ends with the test. What it started itself has its output, too. */
const start = (args: readonly string[], env: object = {}) => {
  const child = spawn(process.execPath, args, {
    env: { ...withoutNpm, ...env },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const stdin = child.stdio[3] as Writable;
  let [output, errors] = ["", ""];
  child.stdout?.on("data", (chunk) => (output += chunk));
  child.stderr?.on("data", (chunk) => (errors += chunk));
  const ended = new Promise<object>((resolve) =>
    child.on("close", (code, signal) => resolve({ code, signal, errors })),
  );
  onTestFinished(async () => {
    stdin.end();
    child.kill("SIGKILL");
    await ended;
  });
  return { child, stdin, ended, output: () => output, errors: () => errors };
};

type Started = ReturnType<typeof start>;

const urlOf = async ({ output }: Started): Promise<string> => {
  await expect.poll(output).toContain("ADGEN_API_KEY");
  return /ADGEN_BASE_URL=(\S+)/.exec(output())?.[1] ?? "";
};

/** Starts the command, until it serves. */
const _serve = async () => {
  const command = start([cli, "--port", "0"]);
  const url = await urlOf(command);
  return { ...command, url, port: Number(new URL(url).port) };
};

const stopped = { code: 0, signal: null, errors: "" };

describe("the process of adgen-mock", () => {
  it("tells the package's version, and ends with 2 at a wrong argument", async () => {
    const [version, wrong] = [start([cli, "--version"]), start([cli, "--port", "x"])];
    expect(await version.ended).toEqual(stopped);
    const manifest = JSON.parse(await readFile("package.json", "utf8"));
    expect(version.output()).toBe(`${manifest.version}\n`);
    const errors = expect.stringContaining("--port");
    expect(await wrong.ended).toEqual({ code: 2, signal: null, errors });
    expect(wrong.output()).toBe("");
  });
});
