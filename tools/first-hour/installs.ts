/**
 * The package beside real tools of several versions, installed by npm, by pnpm without hoisting and
 * by Yarn with Plug'n'Play. Such a tool is there to develop: production holds this package alone.
 */
import { quietly } from "./play-setting.ts";
import type { Setting } from "./setting.ts";

interface Tool {
  readonly name: string;
  readonly version: string;
  /** Program that uses the tool. */
  readonly program: string;
  /** Words that the program has to print. */
  readonly prints: RegExp;
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
  // What is wrong with the options is told before anything connects.
  program: 'import { createProcessor } from "adgen-sdk/bullmq"; createProcessor({});',
};
const playwright = {
  name: "@playwright/test",
  program: `import { playwrightFixtures } from "adgen-sdk/mocks/playwright";
playwrightFixtures({ url: "http://127.0.0.1:4010" });`,
};

const oldMsw: Tool = {
  ...msw,
  version: "2.10.0",
  prints: /needs msw 2\.14 or newer, found 2\.10\.0/,
};
const newMsw: Tool = { ...msw, version: "3.0.5", prints: /^completed$/m };

const tools: readonly Tool[] = [
  { ...msw, version: "1.3.5", prints: /needs msw 2\.14 or newer, found 1\.3\.5/ },
  oldMsw,
  { ...msw, version: "2.14.0", prints: /^completed$/m },
  newMsw,
  { ...bullmq, version: "5.40.0", prints: /needs bullmq 6 or newer, found 5\.40\.0/ },
  { ...bullmq, version: "6.0.0", prints: /createProcessor needs a client/ },
  {
    ...playwright,
    version: "1.40.0",
    prints: /needs @playwright\/test 1\.41 or newer, found 1\.40\.0/,
  },
];

interface Manager extends Pick<Setting, "install" | "files"> {
  /** Command that runs a program of Node. */
  readonly node: string;
  /** Command that installs for production and lists the packages, and what it prints then. */
  readonly production?: Readonly<Record<string, RegExp>>;
}

const settingOf = (manager: string, options: Manager, tool?: Tool): Setting => ({
  name: `${manager}, ${tool === undefined ? "no tool" : `${tool.name} ${tool.version}`}`,
  ...(options.install !== undefined && { install: options.install }),
  packages: {
    ...(tool && { [tool.name]: tool.version }),
    // BullMQ asks its user for a client of Redis.
    ...(tool?.name === "bullmq" && { ioredis: "6.0.0" }),
  },
  files: { ...options.files, ...(tool && { "use.mjs": tool.program }) },
  runs: {
    // A program that is refused fails.
    ...(tool && { [`${options.node} use.mjs || true`]: tool.prints }),
    ...options.production,
  },
});

const npm: Manager = {
  node: "node",
  // Not `npm ci`: it refuses BullMQ's msgpackr-extract, which lacks some of its optional packages.
  production: {
    [`rm -r node_modules; npm install --omit=dev --silent ${quietly} && ls node_modules`]:
      /^adgen-sdk\n$/,
  },
};

const registry = "$(npm config get registry)";
const runPnpm = `npx --yes pnpm@12.21.0 install --ignore-scripts --registry=${registry}`;
const pnpm: Manager = {
  install: runPnpm,
  files: { "pnpm-workspace.yaml": "nodeLinker: isolated\nhoist: false\n" },
  node: "node",
  production: {
    [`rm -r node_modules; ${runPnpm} --prod --frozen-lockfile >&2 && ls node_modules/.pnpm | grep -c @`]:
      /^1$/m,
  },
};

const runYarn = "npx --yes --package=@yarnpkg/cli-dist@4.18.1 yarn";
const yarn: Manager = {
  install: `NODE_EXTRA_CA_CERTS=$(npm config get cafile) YARN_NPM_REGISTRY_SERVER=${registry} ${runYarn} install`,
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

export const installs: readonly Setting[] = [
  ...[undefined, ...tools].map((tool) => settingOf("npm", npm, tool)),
  ...[oldMsw, newMsw].map((tool) => settingOf("pnpm", pnpm, tool)),
  ...[oldMsw, newMsw].map((tool) => settingOf("Yarn", yarn, tool)),
];
