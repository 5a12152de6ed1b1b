import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../../mocks/server/run-cli.ts";
import { createAsk, globalFetch } from "./ask.ts";

/** Runs the command in this process, until it is stopped. */
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
  it("explains itself, and tells its version", async () => {
    const { code, out } = await run("--help");
    expect([code, out]).toEqual([0, expect.stringContaining("--image-credits")]);
    expect((await run("--version")).out).toBe("1.2.3");
  });

  it.each([["--port=x"], ["--prot=1"], ["--image-credits=-1"], ["--timeline=soon"], ["extra"]])(
    "ends with 2 at %s",
    async (argument) => {
      const { code, error } = await run(argument);
      expect([code, error]).toEqual([2, expect.stringMatching(/^adgen-mock: .+ \(see --help\)$/)]);
    },
  );

  it.each([
    ["--prot=1", "There is no flag --prot: did you mean --port?"],
    ["--imagecredits=1", "There is no flag --imagecredits: did you mean --image-credits?"],
    ["--seed-fil", "There is no flag --seed-fil: did you mean --seed-file?"],
    ["--colour", "There is no flag --colour (see"],
    ["-x", "There is no flag -x (see"],
    ["chekc", "There is no command chekc: did you mean check?"],
    ["extra", "There is no command extra (see"],
  ])("names the flag or command that %s may stand for", async (argument, message) => {
    const { code, error } = await run(argument);
    expect([code, error]).toEqual([2, expect.stringContaining(`adgen-mock: ${message}`)]);
  });

  it("serves accounts of these keys and credits, and tells each request", async () => {
    const { ask, out } = await serve("--key", "test-a", "--key", "test-b", "--image-credits", "1");
    expect(out()).toContain("export ADGEN_API_KEY=test-a\n");
    expect((await ask("test-b")("POST", "/v1/jobs", { action: "copy-ad" })).status).toBe(202);
    expect((await ask("test-b")("POST", "/v1/jobs", { action: "copy-ad" })).status).toBe(402);
    expect(out()).toMatch(/POST {4}\/v1\/jobs {2}402 {2}it costs 1 image credit, and 0 are left/);
  });

  it("prints the two variables for bash, PowerShell and a .env file", async () => {
    const { url, out } = await serve();
    expect(out()).toContain(`export ADGEN_BASE_URL=${url}\nexport ADGEN_API_KEY=test-key\n`);
    expect(out()).toContain(`$env:ADGEN_BASE_URL = '${url}'\n$env:ADGEN_API_KEY = 'test-key'\n`);
    expect(out()).toContain(`.env\nADGEN_BASE_URL=${url}\nADGEN_API_KEY=test-key\n`);
  });

  it.each([["it's"], ['"$HOME"'], ["a#b$c"]])(
    "quotes the key %s for bash, PowerShell and a .env file",
    async (key) => {
      const { out } = await serve("--key", key);
      const [bash = "", powerShell = "", env = ""] = out().split("\n\n").slice(1);
      expect(powerShell).toContain(`$env:ADGEN_API_KEY = '${key.replaceAll("'", "''")}'`);
      const script = `${bash.slice(bash.indexOf("export"))}\nprintf %s "$ADGEN_API_KEY"`;
      expect(execFileSync("sh", ["-c", script], { encoding: "utf8" })).toBe(key);
      expect(parseEnv(env.slice(".env\n".length))["ADGEN_API_KEY"]).toBe(key);
    },
  );

  it("serves what a seed file says", async () => {
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
