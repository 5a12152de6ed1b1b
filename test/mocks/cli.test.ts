import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectMock } from "../../mocks/connect/index.ts";
import { runCli } from "../../mocks/server/run-cli.ts";
import { createAsk, globalFetch } from "./ask.ts";

/** Runs the command in this process until it is stopped. */
const start = (args: readonly string[], stopping: AbortSignal) => {
  const [out, errors]: [string[], string[]] = [[], []];
  const print = (text: string) => void out.push(text);
  const printError = (text: string) => void errors.push(text);
  const ended = runCli(args, { print, printError, version: "1.2.3", stopping });
  return { ended, out: () => out.join("\n"), error: () => errors.join("\n") };
};

const run = async (...args: string[]) => {
  const { ended, out, error } = start(args, AbortSignal.abort());
  return { code: await ended, out: out(), error: error() };
};

const serve = async (...args: string[]) => {
  const controller = new AbortController();
  const { ended, out } = start(["--port", "0", ...args], controller.signal);
  onTestFinished(async () => {
    controller.abort();
    expect(await ended).toBe(0);
  });
  await expect.poll(out).toContain("ADGEN_API_KEY");
  const url = /ADGEN_BASE_URL=(\S+)/.exec(out())?.[1] ?? "";
  return { url, out, ask: (key = "test-key") => createAsk(globalFetch, key, url) };
};

describe("adgen-mock", () => {
  it("--help and --version print their text, and end with 0", async () => {
    const { code, out } = await run("--help");
    expect([code, out]).toEqual([0, expect.stringContaining("--image-credits")]);
    expect((await run("--version")).out).toBe("1.2.3");
  });

  it.each([
    ["--prot=1", "Unknown option '--prot'"],
    ["chekc", "Unexpected argument 'chekc'"],
    ["--port=x", '--port must be a whole number, got "x"'],
    ["--timeline=soon", "The mock's timeline.queuedMs must be "],
  ])("adgen-mock ends with 2 for the argument %s: %s", async (argument, message) => {
    const { code, error } = await run(argument);
    expect([code, error]).toEqual([2, expect.stringMatching(/^adgen-mock: .+ \(see --help\)$/)]);
    expect(error).toContain(`adgen-mock: ${message}`);
  });

  it("--key and --image-credits open accounts, and each request is logged", async () => {
    const { ask, out } = await serve("--key", "test-a", "--key", "test-b", "--image-credits", "1");
    expect(out()).toContain("export ADGEN_API_KEY=test-a\n");
    expect((await ask("test-b")("POST", "/v1/jobs", { action: "copy-ad" })).status).toBe(202);
    expect((await ask("test-b")("POST", "/v1/jobs", { action: "copy-ad" })).status).toBe(402);
    expect(out()).toMatch(/POST {4}\/v1\/jobs {2}402 {2}it costs 1 image credit, and 0 are left/);
  });

  it("a restarted adgen-mock gives no id of the earlier start, except with the same --seed", async () => {
    const firstJob = async (...args: string[]): Promise<unknown> => {
      const { ask } = await serve(...args);
      return (await ask()("POST", "/v1/jobs", { action: "copy-ad" })).data.job_id;
    };
    expect(await firstJob()).not.toBe(await firstJob());
    expect(await firstJob("--seed", "demo")).toBe(await firstJob("--seed", "demo"));
  });

  it("adgen-mock ends with 1 for a port that is taken, and says what to do", async () => {
    const { url } = await serve();
    const { code, error } = await run("--port", new URL(url).port);
    expect(code).toBe(1);
    expect(error).toMatch(
      /EADDRINUSE.* \(another mock may run there; --port 0 takes a free port\)$/,
    );
  });

  it.each([["test-key"], ['"$HOME"'], ["a#b$c"]])(
    "adgen-mock prints the address and the key %s for bash, PowerShell and a .env file",
    async (key) => {
      const { url, out } = await serve("--key", key);
      const [bash = "", powerShell = "", env = ""] = out().split("\n\n").slice(1);
      const quoted = key.replaceAll("'", "''");
      expect(powerShell).toContain(
        `$env:ADGEN_BASE_URL = '${url}'\n$env:ADGEN_API_KEY = '${quoted}'`,
      );
      const print = 'printf "%s %s" "$ADGEN_BASE_URL" "$ADGEN_API_KEY"';
      const script = `${bash.slice(bash.indexOf("export"))}\n${print}`;
      expect(execFileSync("sh", ["-c", script], { encoding: "utf8" })).toBe(`${url} ${key}`);
      expect(parseEnv(env.slice(".env\n".length))).toEqual({
        ADGEN_BASE_URL: url,
        ADGEN_API_KEY: key,
      });
    },
  );

  it("--seed-file gives the options of the service", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "adgen-")), "seed.json");
    const accounts = { "test-seed": { brands: [{ id: "brand_1", name: "Acme" }] } };
    writeFileSync(file, JSON.stringify({ accounts, timeline: "per-poll" }));
    const { ask } = await serve("--seed-file", file);
    const { data } = await ask("test-seed")("GET", "/v1/brands");
    expect(data.brands).toMatchObject([{ id: "brand_1" }]);
    writeFileSync(file, JSON.stringify({ acounts: accounts }));
    expect((await run("--seed-file", file)).error).toContain('no field "acounts"');
  });
});

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const cli = pathOf("../../mocks/server/cli.ts");
const starter = pathOf("./children/start-command.ts");

/** Package managers set this for every command that they start. */
const byNpm = { npm_config_user_agent: "npm/11.0.0" };

const { npm_config_user_agent: _, ...withoutNpm } = process.env;

/** Starts a process, which ends with the test. Its own children share its output. */
const startProcess = (args: readonly string[], env: object = {}) => {
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

type Started = ReturnType<typeof startProcess>;

const urlOf = async ({ output }: Started): Promise<string> => {
  await expect.poll(output).toContain("ADGEN_API_KEY");
  return /ADGEN_BASE_URL=(\S+)/.exec(output())?.[1] ?? "";
};

/** Starts the command in a process, and waits until it serves. */
const serveApart = async () => {
  const command = startProcess([cli, "--port", "0"]);
  const url = await urlOf(command);
  return { ...command, url, port: Number(new URL(url).port) };
};

const authorized = { authorization: "Bearer test-key" };

const stopped = { code: 0, signal: null, errors: "" };

describe("the process of adgen-mock", () => {
  it("the process prints the package's version, and ends with 2 for a wrong argument", async () => {
    const [version, wrong] = [startProcess([cli, "--version"]), startProcess([cli, "--port", "x"])];
    expect(await version.ended).toEqual(stopped);
    const manifest = JSON.parse(readFileSync("package.json", "utf8"));
    expect(version.output()).toBe(`${manifest.version}\n`);
    const errors = expect.stringContaining("--port");
    expect(await wrong.ended).toEqual({ code: 2, signal: null, errors });
    expect(wrong.output()).toBe("");
  });

  it("the process of adgen-mock check ends after its check", async () => {
    const { url } = await serve("--timeline", "0,0");
    const program = ["--import", pathOf("../helpers/from-source.ts"), cli, "check"];
    const check = startProcess([...program, "--base-url", url, "--key", "test-key"]);
    expect(await check.ended).toEqual(stopped);
    expect(check.output()).toContain("All answers fit.");
  });

  it("a signal ends the process with 0, even if a request stalls or nobody reads its output", async () => {
    const [read, unread] = await Promise.all([serveApart(), serveApart()]);
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

  it("the process ends with the npx that started it, but not with another program", async () => {
    let servers = 0;
    const begin = (how: string, env: object, ...args: string[]) => {
      const own = ["--port", "0", "--key", `test-${servers++}`];
      return startProcess([starter, how, process.execPath, cli, ...own, ...args], env);
    };
    const ending = [begin("shell", byNpm), begin("shell", byNpm, "--quiet")] as const;
    const staying = [begin("apart", byNpm), begin("apart", {})];
    const urls = await Promise.all([...ending, ...staying].map(urlOf));
    const answering = async () => {
      // Another server may have taken the port of an ended one, but it doesn't know the key.
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
        "adgen-mock: it stops, because the npm or npx that started it has ended\n",
      );
    }
    // Each command checks twice a second whether its starter still runs.
    await wait(700);
    expect(await answering()).toEqual([false, false, true, true]);
    for (const { output, ended } of staying) {
      process.kill(Number(/pid (\d+)/.exec(output())?.[1]));
      await ended;
    }
  });
});
