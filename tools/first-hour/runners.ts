/** Lists the runners and runtimes, old ones too, and how each set-up of the mock ends in them. */
import { fourPictures, readmeProgram, readmeTest, somePassed } from "./play-setting.ts";
import {
  everyWay,
  plainSuites,
  type Runner,
  withMsw,
  withoutMsw,
  withSuites,
} from "./play-suites.ts";

export const msw3 = "3.0.5";
const msw2 = "2.15.0";

const notListening = /it does not listen yet\. Call listen/;
const notIntercepted = /MSW cannot intercept every request in (Bun|Deno)/;

const refusesMsw = {
  passes: withoutMsw,
  refuses: Object.fromEntries(withMsw.map((suite) => [suite, notIntercepted])),
};

export const nodeTest =
  'import { test, before as beforeAll, afterEach, after as afterAll } from "node:test";';
/** The guide's own test needs no configuration. */
const jestFiles = { "suites.json": '{"testMatch":["**/entry.*"],"transform":{}}' };
export const runJest = "node_modules/jest/bin/jest.js --config suites.json";

const vitest = (
  version: string,
  msw: string,
  environment = "node",
  more: Partial<Runner> = {},
): Runner => ({
  name: `Vitest ${version}, ${environment}, msw ${msw}`,
  imports: 'import { test, beforeAll, afterEach, afterAll } from "vitest";',
  command: `node node_modules/vitest/vitest.mjs run --environment=${environment} entry`,
  passes: everyWay,
  ...more,
  refuses: { forgotten: notListening, ...more.refuses },
  packages: { vitest: version, msw, ...more.packages },
});

export const jestEsm = (version: string, msw: string): Runner => ({
  name: `Jest ${version}, ES modules, msw ${msw}`,
  packages: { jest: version, msw },
  copies: { "ads.test.js": "docs/testing/jest.md > js jest" },
  runs: { "NODE_OPTIONS=--experimental-vm-modules npx jest ads": somePassed },
  files: jestFiles,
  command: `node --experimental-vm-modules ${runJest}`,
  // Jest's hooks are globals, so the mock finds them when a test forgets to register its own.
  passes: [...everyWay, "forgotten", "Jest's fake timers"],
});

const jestCjs = (version: string, msw: string, more?: Partial<Runner>): Runner => ({
  name: `Jest ${version}, CommonJS, msw ${msw}`,
  packages: { jest: version, msw, esbuild: "0.28.2" },
  type: "commonjs",
  copies: { "ads.test.js": "docs/testing/jest.md > js jest-commonjs" },
  runs: {
    "npx jest ads": somePassed,
    "npx esbuild *.mjs --bundle --format=cjs --packages=external --outdir=. --out-extension:.js=.cjs":
      /Done/,
  },
  files: jestFiles,
  command: `node ${runJest}`,
  passes: plainSuites,
  // Jest reads all files as CommonJS, and MSW 3 and a dependency of MSW 2 are ES modules.
  refuses: { hooks: /Cannot use import statement|Must use import|unexpected token/ },
  ...more,
});

const runtimes = {
  Bun: {
    runs: { "bun first.js": fourPictures, "bun test ads": somePassed, "bun server.js": /^$/ },
    imports: 'import { test, beforeAll, afterEach, afterAll } from "bun:test";',
    command: "bun test ./entry.test.mjs",
  },
  Deno: {
    runs: {
      "deno run --allow-all first.js": fourPictures,
      "deno test ads.test.js": somePassed,
      "deno run --allow-net --allow-env server.js": /^$/,
    },
    imports: nodeTest,
    command: "deno test --allow-all --no-check entry.test.mjs",
  },
};

const runtime = (
  name: keyof typeof runtimes,
  msw: string,
  ends: Pick<Runner, "passes" | "refuses">,
): Runner => ({
  name: `${name}, msw ${msw}`,
  packages: { msw },
  copies: {
    "first.js": readmeProgram,
    "ads.test.js": `docs/testing/in-node.md > js ${name.toLowerCase()}`,
    "server.js": "docs/testing/in-node.md > js bun deno",
  },
  spends: 4,
  ...runtimes[name],
  ...ends,
});

/** The newest runners, which also run the programs of the README and the guides. */
const newest: readonly Runner[] = [
  vitest("5.1.0", msw3, "node", {
    packages: { nock: "14.0.17" },
    copies: { "first.test.ts": readmeTest },
    runs: { "npx vitest run first": somePassed },
    refuses: { "nock, loaded late": /ERR_MOCK_NOT_INTERCEPTED/ },
  }),
  vitest("5.1.0", msw3, "happy-dom", {
    packages: { "happy-dom": "21.0.4" },
    copies: { "page.test.js": "docs/testing/browser.md > js happy-dom" },
    runs: { "npx vitest run page": somePassed },
    passes: [...everyWay, "XMLHttpRequest"],
  }),
  jestEsm("30.5.2", msw3),
  jestCjs("30.5.2", msw3),
  {
    name: "node:test",
    packages: { msw: msw3 },
    copies: { "ads.test.js": "docs/testing/in-node.md > js node-test" },
    runs: { "node --test ads.test.js": /pass [1-9]/ },
    imports: nodeTest,
    command: "node --test entry.test.mjs",
    passes: everyWay,
    refuses: { forgotten: notListening },
  },
  runtime("Bun", msw3, refusesMsw),
  runtime("Deno", msw3, refusesMsw),
];

const older: readonly Runner[] = [
  vitest("2.1.9", msw3),
  vitest("3.1.4", msw3),
  vitest("3.2.4", msw3),
  vitest("4.1.12", msw2),
  vitest("5.1.0", msw3, "jsdom", {
    packages: { jsdom: "31.0.1" },
    passes: [...everyWay, "XMLHttpRequest"],
  }),
  jestEsm("29.7.0", msw3),
  jestEsm("30.5.2", msw2),
  jestCjs("29.7.0", msw3),
  jestCjs("30.5.2", msw2),
  jestCjs("30.5.2", msw3, {
    name: "Jest 30.5.2, CommonJS with the flag, msw 3.0.5",
    command: `node --experimental-vm-modules ${runJest}`,
    passes: [...everyWay, "forgotten"],
    refuses: {},
  }),
  {
    name: "Mocha 12.0.3",
    packages: { mocha: "12.0.3", msw: msw3 },
    imports: "const [test, beforeAll, afterAll] = [it, before, after];",
    command: "node node_modules/mocha/bin/mocha.js entry.test.mjs",
    passes: [...everyWay, "forgotten"],
  },
  runtime("Bun", msw2, refusesMsw),
  runtime("Deno", msw2, refusesMsw),
];

export const newestRunners = newest.map(withSuites);
export const olderRunners = older.map(withSuites);
