import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { authorized, connectRaw } from "./server-sockets.ts";

const script = fileURLToPath(new URL("../../mocks/cli.ts", import.meta.url));

interface Command {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<{ code: number | null; signal: string | null; errors: string }>;
}

const start = (...args: string[]): Command => {
  const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const ended = new Promise<{ code: number | null; signal: string | null; errors: string }>(
    (resolve) => child.on("close", (code, signal) => resolve({ code, signal, errors })),
  );
  return { child, output: () => output, ended };
};

/** One that serves, on a free port. */
const serve = async (): Promise<Command & { url: string; port: number }> => {
  const command = start("--port", "0");
  await expect.poll(() => command.output()).toContain("ADGEN_API_KEY");
  const url = /ADGEN_BASE_URL=(\S+)/.exec(command.output())?.[1] ?? "";
  return { ...command, url, port: Number(new URL(url).port) };
};

describe("the process of adgen-mock", () => {
  it("tells the package's version", async () => {
    const { output, ended } = start("--version");
    expect(await ended).toEqual({ code: 0, signal: null, errors: "" });
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(output()).toBe(`${version}\n`);
  });

  it("ends with 2 at a wrong argument", async () => {
    const { output, ended } = start("--port", "x");
    expect(await ended).toMatchObject({ code: 2, errors: expect.stringContaining("--port") });
    expect(output()).toBe("");
  });

  it.each(["SIGINT", "SIGTERM"] as const)("ends with 0 at %s, whatever stalls", async (signal) => {
    const { child, url, port, ended } = await serve();
    const headers = { "content-type": "application/json" };
    const fault = JSON.stringify({ fault: { kind: "stall" } });
    const planned = await fetch(`${url}/__mock/faults`, { method: "POST", headers, body: fault });
    expect(planned.status).toBeLessThan(300);
    const stalled = await connectRaw(port, "GET /v1/jobs HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const kept = await connectRaw(port, "");
    await fetch(`${url}/v1/jobs`, { headers: authorized });
    child.kill(signal);
    expect(await ended).toEqual({ code: 0, signal: null, errors: "" });
    await Promise.all([stalled.ended, kept.ended]);
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

  it("goes on when the reader of its output is gone", async () => {
    const { child, url, ended } = await serve();
    child.stdout?.destroy();
    child.stderr?.destroy();
    for (let round = 0; round < 5; round += 1) {
      expect((await fetch(`${url}/v1/jobs`, { headers: authorized })).status).toBe(200);
    }
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ code: 0 });
  });
});
