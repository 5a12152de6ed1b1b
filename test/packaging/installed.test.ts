import { execFile, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, inject, it, onTestFinished, test } from "vitest";
import { bunPath } from "../../tools/runtimes.ts";
import { queued, success } from "../helpers/answers.ts";
import { listen } from "../helpers/http-server.ts";
import { consumerFile, consumers, runNode } from "./consumers.ts";

const packed = inject("packed");
const { plain, tarball } = packed;

/** A service that accepts every job, and has completed it by the first poll. */
const { url: baseUrl } = await listen((response, request) => {
  const completed = success({ job_id: "job_1", status: "completed", result: {} });
  const answer = request.method === "POST" ? queued("job_1") : completed;
  answer(response, request);
});

/** Writes a module as CommonJS: it requires what it imports. */
const toCommonJs = (module: string): string =>
  module
    .replaceAll(/^import (?:\* as )?([^;]+) from (".+");$/gm, "const $1 = require($2);")
    .replaceAll(/^import (".+");$/gm, "require($1);")
    .replaceAll(/^export const (\w+)\s+=/gm, "const $1 = exports.$1 =");

/** Forbids `eval`, as Cloudflare's workers and pages with a strict Content-Security-Policy do. */
const strict = "--disallow-code-generation-from-strings";

/** Runs consumers as a user's own files, one after the other in one process. */
const runScripts = (at: string, names: readonly string[], kind: "esm" | "cjs") => {
  const folder = join(at, kind);
  const [ending, load] = kind === "esm" ? ["mjs", "await import"] : ["cjs", "require"];
  const all = names.map((name) => {
    const module = stripTypeScriptTypes(readFileSync(consumerFile(name), "utf8"));
    writeFileSync(join(folder, `${name}.${ending}`), kind === "esm" ? module : toCommonJs(module));
    return `console.log(await (${load}("./${name}.${ending}")).use("${baseUrl}", "${folder}"));`;
  });
  writeFileSync(join(folder, `all.${ending}`), `(async () => {\n${all.join("\n")}\n})();\n`);
  return runNode(folder, [...(at === plain ? [strict] : []), `all.${ending}`]);
};

const places = [...new Set(Object.values(consumers).flatMap(({ at }) => at))];

describe.each(["esm", "cjs"] as const)("installed and used as %s", (kind) => {
  test.each(places)("the consumers of %s print what they should", async (place) => {
    const running = Object.entries(consumers).filter(
      ([, { at, prints }]) => at.includes(place) && prints !== undefined,
    );
    const ended = await runScripts(
      packed[place],
      running.map(([name]) => name),
      kind,
    );
    const stdout = running.map(([, { prints }]) => `${prints}\n`).join("");
    expect(ended).toEqual({ status: 0, stdout, stderr: "" });
  });
});

test("importing the package changes nothing in the process, and needs no `process`", async () => {
  const program = readFileSync("test/packaging/watch-imports.mjs", "utf8");
  const run = ["--input-type=module", "--eval", program];
  const { status, stdout, stderr } = await runNode(plain, run);
  expect([status, stderr]).toEqual([0, ""]);
  const { changed, added } = JSON.parse(stdout);
  expect(changed).toEqual([]);
  expect(added.filter((name: string) => !name.startsWith("__zod_"))).toEqual([]);
});

const installed = join(plain, "node_modules", "adgen-sdk");

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/__mock/health`).then(
    ({ ok }) => ok,
    () => false,
  );

describe("adgen-mock", () => {
  it("adgen-mock runs by npx in any folder, and ends with npx", async () => {
    const folder = await mkdtemp(join(tmpdir(), "adgen-npx-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const npm = process.env["npm_execpath"] ?? "";
    const asked = ["exec", "--yes", "--offline", `--package=${tarball}`, "--"];
    const args = [npm, ...asked, "adgen-mock", "--port", "0"];
    const npx = spawn(process.execPath, args, {
      cwd: folder,
      env: { ...process.env, npm_config_cache: join(folder, "cache") },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [npx.stdout, npx.stderr]) stream.on("data", (part) => (output += part));
    const closed = new Promise((resolve) => npx.on("close", resolve));
    onTestFinished(() => void npx.kill("SIGKILL"));
    await expect.poll(() => output).toContain("ADGEN_API_KEY");
    const url = /listens on (\S+)/.exec(output)?.[1] ?? "";
    expect(await answers(url)).toBe(true);
    npx.kill("SIGTERM");
    await closed;
    expect(await answers(url)).toBe(false);
  });
});

describe("the README's first program", () => {
  const runtimes: readonly [name: string, command: string | undefined, ...args: string[]][] = [
    ["Node", process.execPath],
    ["Bun", bunPath, "run"],
  ];

  it.each(runtimes.filter(([, command]) => command !== undefined))(
    "the README's first program runs as pasted in %s, against the mock that its lines start",
    async (name, command = "", ...args) => {
      const server = spawn(process.execPath, [join(installed, "dist/mocks/cli.js"), "--port", "0"]);
      onTestFinished(() => void server.kill("SIGKILL"));
      let printed = "";
      server.stdout.on("data", (part) => (printed += part));
      await expect.poll(() => printed).toContain("ADGEN_API_KEY");
      // The two lines that a reader pastes into the other terminal.
      const exported = printed.matchAll(/^export (\w+)=(.*)$/gm);
      const env = Object.fromEntries(Array.from(exported, ([, key, value]) => [key, value]));
      expect(Object.keys(env)).toEqual(["ADGEN_BASE_URL", "ADGEN_API_KEY"]);

      const readme = await readFile(join(installed, "README.md"), "utf8");
      const [, program = ""] = /```ts\n(.*?)```/s.exec(readme) ?? [];
      // The program gets its own folder, beside the installed package.
      const folder = await mkdtemp(join(plain, `first-${name}-`));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      await writeFile(join(folder, "first.mjs"), program);
      const { stdout } = await promisify(execFile)(command, [...args, join(folder, "first.mjs")], {
        env: { PATH: process.env["PATH"], ...env },
      });
      expect(stdout).toMatch(/^submitted and paid: job_\w+\nqueued\n(processing\n)?completed\n/);
      expect(await readdir(join(folder, "ads"))).toHaveLength(4);
    },
  );
});
