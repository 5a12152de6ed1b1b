import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const cli = pathOf("../../mocks/cli.ts");
const starter = pathOf("./children/start-command.ts");

/** Package managers set this for every command that they start. */
const byNpm = { npm_config_user_agent: "npm/11.0.0" };

const { npm_config_user_agent: _, ...withoutNpm } = process.env;

/** Starts the command, and gives the process that did so. The test's end ends both. */
const start = (options: {
  readonly how: string;
  readonly env: object;
  readonly args?: string[];
}) => {
  const command = [process.execPath, cli, "--port", "0", ...(options.args ?? [])];
  const child = spawn(process.execPath, [starter, options.how, ...command], {
    env: { ...withoutNpm, ...options.env },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const stdin = child.stdio[3] as Writable;
  let output = "";
  let errors = "";
  child.stdout?.on("data", (chunk) => (output += chunk));
  child.stderr?.on("data", (chunk) => (errors += chunk));
  const closed = new Promise((resolve) => child.on("close", resolve));
  onTestFinished(async () => {
    stdin.end();
    child.kill("SIGKILL");
    // Its command, too, has its output: the end of both is the end of it.
    await closed;
  });
  const url = async (): Promise<string> => {
    await expect.poll(() => output).toContain("ADGEN_API_KEY");
    return /ADGEN_BASE_URL=(\S+)/.exec(output)?.[1] ?? "";
  };
  return { child, stdin, url, closed, errors: () => errors };
};

const answers = async (url: string): Promise<boolean> =>
  fetch(`${url}/__mock/clock`).then(
    ({ ok }) => ok,
    () => false,
  );

describe("adgen-mock", () => {
  it("ends with the npx that started it, and not with other programs", async () => {
    const args = ["--end-with-stdin"];
    const ending = [
      start({ how: "shell", env: byNpm }),
      start({ how: "shell", env: byNpm, args: ["--quiet"] }),
    ] as const;
    const staying = [
      start({ how: "shell", env: byNpm, args: [...args, "--detached"] }),
      start({ how: "apart", env: byNpm, args }),
      start({ how: "shell", env: {}, args }),
    ];
    const urls = await Promise.all([...ending, ...staying].map(({ url }) => url()));
    expect(await Promise.all(urls.map(answers))).toEqual([true, true, true, true, true]);
    ending[0].child.kill("SIGTERM");
    ending[1].child.kill("SIGKILL");
    for (const { child } of staying) child.kill("SIGKILL");
    for (const { closed, errors } of ending) {
      await closed;
      expect(errors()).toBe(
        "adgen-mock: stops, because the npm or npx that started it has ended (see --detached)\n",
      );
    }
    expect(await Promise.all(urls.map(answers))).toEqual([false, false, true, true, true]);
    for (const { stdin, closed, errors } of staying) {
      stdin.end();
      await closed;
      expect(errors()).toBe("adgen-mock: stops, because standard input has ended\n");
    }
    expect(await Promise.all(urls.slice(2).map(answers))).toEqual([false, false, false]);
  });

  it("ends at the first signal while it still waits for its state file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "adgen-cli-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const state = join(folder, "state.json");
    // The server of another container may still run: it has 8 seconds to give a sign of life.
    const lock = `state.json.lock.${process.pid}.1.00000000.0123456789ab`;
    await writeFile(join(folder, lock), "another");
    const args = [cli, "--port", "0", "--state", state];
    const child = spawn(process.execPath, args, {
      env: withoutNpm,
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = new Promise((resolve) => child.on("close", resolve));
    const [line] = await once(child.stderr, "data");
    expect(String(line)).toMatch(/in use by process .* on another: waiting up to 8 s for a sign/);
    const startedAt = performance.now();
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(7_000);
    expect(await readdir(folder)).toEqual([lock]);
  });
});
