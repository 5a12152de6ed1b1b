import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectMock } from "../../mocks/connect/index.ts";

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const cli = pathOf("../../mocks/server/cli.ts");
const starter = pathOf("./children/start-command.ts");

/** Package managers set this for every command that they start. */
const byNpm = { npm_config_user_agent: "npm/11.0.0" };

const { npm_config_user_agent: _, ...withoutNpm } = process.env;

/** Starts a process, which ends with the test. What it started itself has its output, too. */
const start = (args: readonly string[], env: object = {}) => {
  const child = spawn(process.execPath, args, {
    env: { ...withoutNpm, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [output, errors] = ["", ""];
  child.stdout?.on("data", (chunk) => (output += chunk));
  child.stderr?.on("data", (chunk) => (errors += chunk));
  const ended = new Promise<object>((resolve) =>
    child.on("close", (code, signal) => resolve({ code, signal, errors })),
  );
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return { child, ended, output: () => output, errors: () => errors };
};

type Started = ReturnType<typeof start>;

const urlOf = async ({ output }: Started): Promise<string> => {
  await expect.poll(output).toContain("ADGEN_API_KEY");
  return /ADGEN_BASE_URL=(\S+)/.exec(output())?.[1] ?? "";
};

/** Starts the command, until it serves. */
const serve = async () => {
  const command = start([cli, "--port", "0"]);
  const url = await urlOf(command);
  return { ...command, url, port: Number(new URL(url).port) };
};

const authorized = { authorization: "Bearer test-key" };

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

  it("checks the mock, and ends when it has", async () => {
    const check = start(["--import", pathOf("../helpers/from-source.ts"), cli, "check"]);
    expect(await check.ended).toEqual(stopped);
    expect(check.output()).toContain("All answers fit.");
  });

  it("ends with 0 at a signal, whatever stalls, and when nobody reads its output any more", async () => {
    const [read, unread] = await Promise.all([serve(), serve()]);
    unread.child.stdout?.destroy();
    unread.child.stderr?.destroy();
    for (const { url } of [read, unread]) {
      for (let round = 0; round < 5; round += 1) {
        expect((await fetch(`${url}/v1/jobs`, { headers: authorized })).status).toBe(200);
      }
      await connectMock(url).faults.play({ kind: "stall" });
      fetch(`${url}/v1/jobs`, { headers: authorized }).catch(() => {});
      await expect.poll(() => connectMock(url).journal.count()).toBe(6);
    }
    read.child.kill("SIGINT");
    unread.child.kill("SIGTERM");
    expect(await Promise.all([read.ended, unread.ended])).toEqual([stopped, stopped]);
  });

  it("ends with the npx that started it, and not with another program", async () => {
    let servers = 0;
    const begin = (how: string, env: object, ...args: string[]) => {
      const own = ["--port", "0", "--key", `test-${servers++}`];
      return start([starter, how, process.execPath, cli, ...own, ...args], env);
    };
    const ending = [begin("shell", byNpm), begin("shell", byNpm, "--quiet")] as const;
    const staying = [begin("apart", byNpm), begin("apart", {})];
    const urls = await Promise.all([...ending, ...staying].map(urlOf));
    const answering = async () => {
      // Another server may have got the port of one that has ended: it knows no such key.
      const asked = urls.map(async (url, place) => {
        const headers = { authorization: `Bearer test-${place}` };
        return (await fetch(`${url}/v1/jobs`, { headers })).status === 200;
      });
      return (await Promise.allSettled(asked)).map(
        (one) => one.status === "fulfilled" && one.value,
      );
    };
    expect(await answering()).toEqual([true, true, true, true]);
    ending[0].child.kill("SIGTERM");
    for (const { child } of [ending[1], ...staying]) child.kill("SIGKILL");
    for (const { ended, errors } of ending) {
      await ended;
      expect(errors()).toBe(
        "adgen-mock: stops, because the npm or npx that started it has ended\n",
      );
    }
    // The command looks for its starter twice a second: all have looked by then.
    await wait(700);
    expect(await answering()).toEqual([false, false, true, true]);
    for (const { output, ended } of staying) {
      process.kill(Number(/pid (\d+)/.exec(output())?.[1]));
      await ended;
    }
  });
});
