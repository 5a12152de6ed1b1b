import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { authorized, connectRaw } from "./server-sockets.ts";

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const cli = pathOf("../../mocks/cli.ts");
const starter = pathOf("./children/start-command.ts");

/** Package managers set this for every command that they start. */
const byNpm = { npm_config_user_agent: "npm/11.0.0" };

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
const serve = async () => {
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

  it("ends with 0 at a signal, whatever stalls, and when no one reads its output any more", async () => {
    const [read, unread] = await Promise.all([serve(), serve()]);
    unread.child.stdout?.destroy();
    unread.child.stderr?.destroy();
    for (const { url, port } of [read, unread]) {
      for (let round = 0; round < 5; round += 1) {
        expect((await fetch(`${url}/v1/jobs`, { headers: authorized })).status).toBe(200);
      }
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ fault: { kind: "stall" } });
      await fetch(`${url}/__mock/faults.play`, { method: "POST", headers, body });
      await connectRaw(port, "GET /v1/jobs HTTP/1.1\r\nHost: localhost\r\n\r\n");
      await connectRaw(port, "");
      await fetch(`${url}/__mock/help`);
    }
    read.child.kill("SIGINT");
    unread.child.kill("SIGTERM");
    expect(await Promise.all([read.ended, unread.ended])).toEqual([stopped, stopped]);
  });

  it("ends at once at a second signal", async () => {
    const { child, port, ended } = await serve();
    // A request that is not complete: it gets a second for it.
    await connectRaw(port, "GET /v1/jobs HTTP/1.1\r\n");
    // Two that come before it has read the first one are one signal.
    const signals = setInterval(() => child.kill("SIGINT"), 20);
    expect(await ended).toMatchObject({ code: 130 });
    clearInterval(signals);
  });

  it("ends with the npx that started it, and not with other programs", async () => {
    const begin = (how: string, env: object, ...args: string[]) =>
      start([starter, how, process.execPath, cli, "--port", "0", ...args], env);
    const ending = [begin("shell", byNpm), begin("shell", byNpm, "--quiet")] as const;
    const staying = [
      begin("apart", byNpm, "--end-with-stdin"),
      begin("shell", {}, "--end-with-stdin"),
    ];
    const urls = await Promise.all([...ending, ...staying].map(urlOf));
    const answering = async () => {
      const asked = await Promise.allSettled(urls.map((url) => fetch(`${url}/__mock/clock`)));
      return asked.map(({ status }) => status === "fulfilled");
    };
    expect(await answering()).toEqual([true, true, true, true]);
    ending[0].child.kill("SIGTERM");
    ending[1].child.kill("SIGKILL");
    for (const { child } of staying) child.kill("SIGKILL");
    for (const { ended, errors } of ending) {
      await ended;
      expect(errors()).toBe(
        "adgen-mock: stops, because the npm or npx that started it has ended\n",
      );
    }
    // The command looks for its starter twice a second: all have looked by then.
    await wait(600);
    expect(await answering()).toEqual([false, false, true, true]);
    for (const { stdin, ended, errors } of staying) {
      stdin.end();
      await ended;
      expect(errors()).toBe("adgen-mock: stops, because standard input has ended\n");
    }
    expect(await answering()).toEqual([false, false, false, false]);
  });
});
