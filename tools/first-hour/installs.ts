/**
 * Installs the package beside real tools of several versions, by npm, by pnpm without hoisting and
 * by Yarn with Plug'n'Play. The tools serve development, so production gets this package alone.
 */
import { quietly, type Setting } from "./play-setting.ts";

const useMsw = `
import { createClient } from "adgen-sdk";
import { setupMockServer } from "adgen-sdk/mocks/node";

const mock = setupMockServer({ baseUrl: "https://ads.test", hooks: false });
await mock.listen();
const { jobs } = createClient({ baseUrl: "https://ads.test", apiKey: "test-key" });
console.log((await jobs.submitAndPoll({ action: "generate-ad" })).status);
mock.close();
`;
// The processor refuses wrong options before it connects, so no Redis is needed.
const useBullmq = 'import { createProcessor } from "adgen-sdk/bullmq"; createProcessor({});';

/** A tool, a program that uses it, and what the program has to print. */
type Tool = readonly [name: string, version: string, program: string, prints: RegExp];

const oldMsw: Tool = ["msw", "2.10.0", useMsw, /needs msw 2\.14 or newer, found 2\.10\.0/];
const newMsw: Tool = ["msw", "3.0.5", useMsw, /^completed$/m];
const tools: readonly Tool[] = [
  ["msw", "1.3.5", useMsw, /needs msw 2\.14 or newer, found 1\.3\.5/],
  oldMsw,
  ["msw", "2.14.0", useMsw, /^completed$/m],
  newMsw,
  ["bullmq", "5.40.0", useBullmq, /needs bullmq 6 or newer, found 5\.40\.0/],
  ["bullmq", "6.0.0", useBullmq, /createProcessor needs a client/],
];

/** How a package manager installs, runs a program, and lists what it installs for production. */
interface Manager extends Pick<Setting, "name" | "install" | "files"> {
  readonly node: string;
  readonly production?: Readonly<Record<string, RegExp>>;
}

const npm: Manager = {
  name: "npm",
  node: "node",
  // Not `npm ci`: it refuses BullMQ's msgpackr-extract, which lacks some of its optional packages.
  production: {
    [`rm -r node_modules; npm install --omit=dev ${quietly} && ls node_modules`]:
      /added 1 package in .*\nadgen-sdk\n$/,
  },
};

const registry = "$(npm config get registry)";
const runPnpm = `npx --yes pnpm@12.21.0 install --ignore-scripts --registry=${registry}`;
const pnpm: Manager = {
  name: "pnpm",
  install: runPnpm,
  files: { "pnpm-workspace.yaml": "nodeLinker: isolated\nhoist: false\n" },
  node: "node",
  production: {
    [`rm -r node_modules; ${runPnpm} --prod --frozen-lockfile && ls node_modules/.pnpm | grep -c @`]:
      /^1$/m,
  },
};

const runYarn = "npx --yes --package=@yarnpkg/cli-dist@4.18.1 yarn";
const yarn: Manager = {
  name: "Yarn",
  install: `YARN_NPM_REGISTRY_SERVER=${registry} ${runYarn} install`,
  files: {
    "yarn.lock": "",
    ".yarnrc.yml": `nodeLinker: pnp
enableTelemetry: false
enableScripts: false
enableImmutableInstalls: false
enableGlobalCache: false
`,
  },
  node: `${runYarn} node`,
};

const settingOf = (
  { name, node, production, files, ...others }: Manager,
  [tool, version, program, prints]: Tool,
): Setting => ({
  ...others,
  name: `${name}, ${tool} ${version}`,
  // BullMQ asks its user for a client of Redis.
  packages: { [tool]: version, ...(tool === "bullmq" && { ioredis: "6.0.0" }) },
  files: { ...files, "use.mjs": program },
  // A program that prints a refusal ends with an error code, which must not fail the check.
  runs: { [`${node} use.mjs || true`]: prints, ...production },
});

export const installs: readonly Setting[] = [
  { name: "npm, no tool", ...(npm.production && { runs: npm.production }) },
  ...tools.map((tool) => settingOf(npm, tool)),
  ...[pnpm, yarn].flatMap((manager) => [oldMsw, newMsw].map((tool) => settingOf(manager, tool))),
];
