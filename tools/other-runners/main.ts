/**
 * `npm run test:runners`: the published mock in other runners and runtimes, with a live server where
 * the real service would be. No paid request may reach it. Installs the runners into .tmp first.
 */
import { spawn } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { readBlocks } from "../../test/helpers/doc-blocks.ts";
import { guides } from "../../test/helpers/documents.ts";
import { installApp, pack } from "../packed-package.ts";
import { bunPath, denoPath } from "../runtimes.ts";
import { startLiveServer } from "./live-server.ts";
import { type End, type Setting, settings, usualHooks } from "./settings.ts";

/** Set-ups that need no MSW stand in a program of their own. */
const plainSuites = { "service.fetch": true, startMockServer: true };

const folder = resolve(".tmp/other-runners");
const programs = join(import.meta.dirname, "programs");
const folderOf = ({ name }: Setting): string => join(folder, name.replace(/[^\w.]+/g, "-"));

/** Writes the programs into the runner's folder, for one set-up. */
const write = async (setting: Setting, suite: string): Promise<void> => {
  const place = folderOf(setting);
  const [beforeAll, afterEach, afterAll] = setting.hooks ?? usualHooks;
  const hooks = `{ beforeAll: ${beforeAll}, afterEach: ${afterEach}, afterAll: ${afterAll} }`;
  const call = `suites[${JSON.stringify(suite)}]({ test, hooks: ${hooks} });`;
  if (suite === "guide") {
    const block = guides.flatMap(readBlocks).find(({ info }) => info === setting.guide);
    return writeFileSync(join(place, setting.entry), block?.code ?? "");
  }
  const program = suite in plainSuites ? "plain-suites" : "msw-suites";
  for (const [name, text] of Object.entries(setting.files ?? {})) {
    writeFileSync(join(place, name), text);
  }
  if (setting.entry.endsWith(".mjs")) {
    cpSync(programs, place, { recursive: true });
    const lines = [setting.imports, `import { suites } from "./${program}.mjs";`, call];
    return writeFileSync(join(place, setting.entry), lines.filter(Boolean).join("\n"));
  }
  await build({
    entryPoints: [join(programs, `${program}.mjs`)],
    outfile: join(place, `${program}.cjs`),
    bundle: true,
    format: "cjs",
    packages: "external",
    // Or the package's own sources would go into the program.
    tsconfigRaw: {},
  });
  const lines = [`const { suites } = require("./${program}.cjs");`, call];
  writeFileSync(join(place, setting.entry), lines.join("\n"));
};

const runtimes = { node: process.execPath, bun: bunPath, deno: denoPath };

interface Ran {
  readonly status: number | null;
  readonly output: string;
}

const run = (setting: Setting, url: string): Promise<Ran> =>
  new Promise((done) => {
    const file = runtimes[setting.runtime ?? "node"];
    if (file === undefined) return done({ status: null, output: "the runtime is missing" });
    const env = { PATH: process.env["PATH"], HOME: folder, SERVICE_URL: url, NO_COLOR: "1" };
    const child = spawn(file, setting.command, { cwd: folderOf(setting), env, timeout: 90_000 });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += chunk;
      });
    }
    child.on("close", (status) => done({ status, output }));
  });

const judge = (end: End, { status, output }: Ran): string | undefined => {
  if (end === "passes") return status === 0 ? undefined : `failed: ${output.slice(0, 1200)}`;
  if (status === 0) return "passed, and had to fail";
  return end.test(output.replace(/\s+/g, " "))
    ? undefined
    : `other words: ${output.slice(0, 1200)}`;
};

const [only] = process.argv.slice(2);
const chosen = settings.filter(({ name }) => only === undefined || name.includes(only));
const tarball = pack(folder);
const server = await startLiveServer();
let runs = 0;
let paid = 0;
const mistakes: string[] = [];
for (const setting of chosen) {
  // Old runners know no peers as new as these.
  installApp(folderOf(setting), setting.packages, tarball, { npmOptions: ["--legacy-peer-deps"] });
  for (const [suite, end] of Object.entries(setting.ends)) {
    await write(setting, suite);
    const ran = await run(setting, server.url);
    const reached = server.takePaid();
    const mistake = reached > 0 ? `${reached} paid requests got out` : judge(end, ran);
    runs += 1;
    paid += reached;
    const result = end === "passes" ? "passes" : "refuses";
    console.log(`${setting.name.padEnd(38)} ${suite.padEnd(16)} ${mistake ?? result}`);
    if (mistake !== undefined) mistakes.push(`${setting.name}, ${suite}`);
  }
}
server.close();
console.log(`\n${runs} set-ups in ${chosen.length} runners, ${paid} paid requests got out,`);
console.log(
  `${mistakes.length} other than expected${mistakes.map((name) => `\n  ${name}`).join("")}`,
);
process.exitCode = mistakes.length > 0 ? 1 : 0;
