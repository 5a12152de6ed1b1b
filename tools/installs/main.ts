/**
 * `npm run test:installs`: the packed package beside real tools of several versions, installed by
 * npm, by pnpm without hoisting and by Yarn with Plug'n'Play. Needs the network, and some minutes.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pack } from "../packed-package.ts";

interface Tool {
  readonly name: string;
  readonly version: string;
  /** Program that uses the tool. */
  readonly program: string;
  /** Words that the program has to print. */
  readonly prints: string;
}

const msw = {
  name: "msw",
  program: `
import { createClient } from "adgen-sdk";
import { setupMockServer } from "adgen-sdk/mocks/node";

const mock = setupMockServer({ baseUrl: "https://ads.test", hooks: false });
await mock.listen();
const { jobs } = createClient({ baseUrl: "https://ads.test", apiKey: "test-key" });
console.log((await jobs.submitAndPoll({ action: "generate-ad" })).status);
mock.close();
`,
};
const bullmq = {
  name: "bullmq",
  program: `
import { createProcessor } from "adgen-sdk/bullmq";

// What is wrong with the options is told before anything connects.
createProcessor({});
`,
};
const playwright = {
  name: "@playwright/test",
  program: `
import { playwrightFixtures } from "adgen-sdk/mocks/playwright";

playwrightFixtures({ url: "http://127.0.0.1:4010" });
`,
};

const oldMsw: Tool = { ...msw, version: "2.10.0", prints: "needs msw 2.14 or newer, found 2.10.0" };
const newMsw: Tool = { ...msw, version: "3.0.5", prints: "completed" };

const tools: readonly Tool[] = [
  { ...msw, version: "1.3.5", prints: "needs msw 2.14 or newer, found 1.3.5" },
  oldMsw,
  { ...msw, version: "2.14.0", prints: "completed" },
  newMsw,
  { ...bullmq, version: "5.40.0", prints: "needs bullmq 6 or newer, found 5.40.0" },
  { ...bullmq, version: "6.0.0", prints: "createProcessor needs a client" },
  {
    ...playwright,
    version: "1.40.0",
    prints: "needs @playwright/test 1.41 or newer, found 1.40.0",
  },
];

const folder = resolve(".tmp/installs");
const programFile = "use.mjs";
const npm = process.env["npm_execpath"];
if (npm === undefined) throw new Error("Run this through npm: npm run test:installs");
const npmPath = npm;

/** Runs a command with nothing of this npm's settings; gives what it prints. */
const run = (place: string, file: string, args: readonly string[]): string => {
  const { npm_execpath: _, ...rest } = process.env;
  const env = Object.fromEntries(Object.entries(rest).filter(([name]) => !/^npm_/.test(name)));
  const options = { cwd: place, env, encoding: "utf8", timeout: 300_000 } as const;
  const { status, stdout, stderr, error } = spawnSync(file, args, options);
  if (error) throw error;
  return status === 0 ? stdout : `${stdout}${stderr}\nexit code ${status}`;
};

const runNode = (place: string, args: readonly string[]) => run(place, process.execPath, args);
const runNpm = (place: string, ...args: readonly string[]) =>
  runNode(place, [npmPath, ...args, "--ignore-scripts", "--no-audit", "--no-fund"]);

rmSync(folder, { recursive: true, force: true });
const tarball = pack(folder);

/** Makes an app that depends on the package, and needs a tool to be developed. */
const makeApp = (manager: string, tool?: Tool, files: Record<string, string> = {}): string => {
  const app = join(folder, `${manager}-${tool?.name.replace("/", "-")}-${tool?.version}`);
  mkdirSync(app);
  const dependencies = { "adgen-sdk": `file:${tarball}` };
  const devDependencies = {
    ...(tool && { [tool.name]: tool.version }),
    // BullMQ asks its user for a client of Redis.
    ...(tool?.name === "bullmq" && { ioredis: "6.0.0" }),
  };
  const manifest = JSON.stringify({ private: true, dependencies, devDependencies });
  for (const [name, text] of Object.entries({ ...files, "package.json": manifest })) {
    writeFileSync(join(app, name), text);
  }
  if (tool) writeFileSync(join(app, programFile), tool.program);
  return app;
};

let mistakes = 0;
const report = (title: string, said: string, isRight: boolean): void => {
  if (!isRight) mistakes += 1;
  console.log(
    `${title.padEnd(42)} ${isRight ? "as it should be" : `NOT SO: ${said.slice(-1500)}`}`,
  );
};

for (const tool of [undefined, ...tools]) {
  const title = `npm, ${tool === undefined ? "no tool" : `${tool.name} ${tool.version}`}`;
  const app = makeApp("npm", tool);
  const installed = runNpm(app, "install");
  report(`${title}: installs`, installed, !/exit code|ERESOLVE/.test(installed));
  if (tool) {
    const said = runNode(app, [programFile]);
    report(`${title}: runs`, said, said.includes(tool.prints));
  }
  // Not `npm ci`: it refuses BullMQ's msgpackr-extract, which lacks some of its optional packages.
  rmSync(join(app, "node_modules"), { recursive: true });
  runNpm(app, "install", "--omit=dev");
  const lock = readFileSync(join(app, "node_modules/.package-lock.json"), "utf8");
  const names = Object.keys(JSON.parse(lock).packages).join();
  report(`${title}: production`, names, names === "node_modules/adgen-sdk");
}

const managers = join(folder, "managers");
mkdirSync(managers);
writeFileSync(join(managers, "package.json"), '{"private":true}');
runNpm(managers, "install", "pnpm@12.21.0", "@yarnpkg/cli-dist@4.18.1");
const pnpm = join(managers, "node_modules/.bin/pnpm");
const yarn = join(managers, "node_modules/.bin/yarn");
const config = (name: string) => runNode(folder, [npmPath, "config", "get", name]).trim();
const registry = config("registry");
const caFile = config("cafile");

for (const tool of [oldMsw, newMsw]) {
  const files = { "pnpm-workspace.yaml": "nodeLinker: isolated\nhoist: false\n" };
  const app = makeApp("pnpm", tool, files);
  const installed = run(app, pnpm, ["install", "--ignore-scripts", `--registry=${registry}`]);
  report(`pnpm, msw ${tool.version}: installs`, installed, !installed.includes("exit code"));
  const said = runNode(app, [programFile]);
  report(`pnpm, msw ${tool.version}: runs`, said, said.includes(tool.prints));
  rmSync(join(app, "node_modules"), { recursive: true });
  run(app, pnpm, ["install", "--prod", "--frozen-lockfile", `--registry=${registry}`]);
  const stored = readdirSync(join(app, "node_modules/.pnpm")).filter((name) => name.includes("@"));
  report(`pnpm, msw ${tool.version}: production`, stored.join(), stored.length === 1);
}

for (const tool of [oldMsw, newMsw]) {
  const settings = [
    "nodeLinker: pnp",
    "enableTelemetry: false",
    "enableScripts: false",
    "enableImmutableInstalls: false",
    `globalFolder: ${JSON.stringify(join(folder, "yarn"))}`,
    `npmRegistryServer: ${JSON.stringify(registry)}`,
    ...(caFile === "null" ? [] : [`httpsCaFilePath: ${JSON.stringify(caFile)}`]),
  ];
  const app = makeApp("yarn", tool, { ".yarnrc.yml": settings.join("\n"), "yarn.lock": "" });
  const installed = runNode(app, [yarn, "install"]);
  report(`Yarn, msw ${tool.version}: installs`, installed, !installed.includes("exit code"));
  const said = runNode(app, [yarn, "node", programFile]);
  report(`Yarn, msw ${tool.version}: runs`, said, said.includes(tool.prints));
}

console.log(`\n${mistakes} other than expected`);
process.exitCode = mistakes > 0 ? 1 : 0;
