/**
 * The mock in other runners and runtimes, old ones too, and how each set-up has to end in them. A live
 * mock stands where the real service would be: no request may reach it.
 */
import assert from "node:assert/strict";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startMockServer } from "adgen-sdk/mocks/server";
import { build } from "esbuild";
import { fourPictures, readmeProgram, readmeTest } from "./in-terminals.ts";
import { quietly } from "./play-setting.ts";
import { run } from "./processes.ts";
import type { Setting } from "./setting.ts";

/** Names of the set-ups in the folder `programs`. */
type Suite =
  | "service.fetch"
  | "startMockServer"
  | "hooks"
  | "three lines"
  | "forgotten"
  | "in the test"
  | "fixtures";

/** Passes, or fails with these words. In both cases no paid request leaves. */
type End = "passes" | RegExp;

interface Runner extends Setting {
  /** Name of the entry file; `.cjs` for a program that uses `require`. */
  readonly entry: string;
  /** Text that brings `test` and the hooks into the entry's scope. */
  readonly imports?: string;
  /** Names of the hooks, in the order of beforeAll, afterEach, afterAll. */
  readonly hooks?: readonly [string, string, string];
  /** Command that runs the entry. */
  readonly command: string;
  readonly ends: Readonly<Partial<Record<Suite, End>>>;
}

const msw3 = "3.0.5";
const msw2 = "2.15.0";
const hookNames = ["beforeAll", "afterEach", "afterAll"] as const;
const nodeHooks = ["before", "afterEach", "after"] as const;

const notListening = /it does not listen yet\. Call listen/;
const needsVitest = /mockFixtures needs Vitest 3\.2/;
const notIntercepted = /MSW cannot intercept (fetch|node:http) in (Bun|Deno)/;
const notInterceptedEither = {
  hooks: notIntercepted,
  "three lines": notIntercepted,
  "in the test": notIntercepted,
};
const onePassed = /1 passed/;

const everyWay = {
  "service.fetch": "passes",
  startMockServer: "passes",
  hooks: "passes",
  "three lines": "passes",
  "in the test": "passes",
} as const;

const runVitest = "node node_modules/vitest/vitest.mjs run";
const runJest = "node_modules/jest/bin/jest.js --config suites.json";
/** The configuration of the set-ups; the guide's own test needs none. */
const jestFiles = (ending: string) => ({
  "suites.json": `{"testMatch":["**/*.test.${ending}"],"transform":{}}`,
});

const vitest = (
  version: string,
  msw: string,
  fixtures: End,
  environment = "node",
  more: Partial<Setting> = {},
): Runner => ({
  ...more,
  name: `Vitest ${version}${environment === "node" ? "" : `, ${environment}`}, msw ${msw}`,
  packages: { vitest: version, msw, ...more.packages },
  entry: "entry.test.mjs",
  imports: 'import { test, beforeAll, afterEach, afterAll } from "vitest";',
  command: `${runVitest} --environment=${environment} entry`,
  ends: { ...everyWay, forgotten: notListening, fixtures },
});

const jestEsm = (version: string, msw: string): Runner => ({
  name: `Jest ${version}, ES modules, msw ${msw}`,
  packages: { jest: version, msw },
  copies: { "ads.test.js": "docs/testing/jest.md > js jest" },
  runs: { "NODE_OPTIONS=--experimental-vm-modules npx jest ads": onePassed },
  entry: "entry.test.mjs",
  files: jestFiles("mjs"),
  command: `node --experimental-vm-modules ${runJest}`,
  // Jest's hooks are globals: nothing has to be said.
  ends: { ...everyWay, forgotten: "passes" },
});

const jestCjs = (version: string, msw: string, ends: Runner["ends"], flag = ""): Runner => ({
  name: `Jest ${version}, CommonJS${flag && " with the flag"}, msw ${msw}`,
  packages: { jest: version, msw },
  type: "commonjs",
  copies: { "ads.test.js": "docs/testing/jest.md > js jest-commonjs" },
  runs: { "npx jest ads": onePassed },
  entry: "entry.test.cjs",
  files: jestFiles("cjs"),
  command: `node ${flag} ${runJest}`,
  ends,
});

/** Jest reads all files as CommonJS, and MSW 3 and a dependency of MSW 2 are ES modules. */
const noEsModules = /Cannot use import statement|Must use import|unexpected token/;
const withoutMsw = {
  "service.fetch": "passes",
  startMockServer: "passes",
  hooks: noEsModules,
} as const;

const bunTests = "docs/testing/bun-and-deno.md";

const bun = (msw: string): Runner => ({
  name: `Bun, msw ${msw}`,
  packages: { msw },
  copies: {
    "first.js": readmeProgram,
    "ads.test.js": `${bunTests} > js bun`,
    "server.js": `${bunTests} > js bun deno`,
  },
  runs: { "bun first.js": fourPictures, "bun test ads": /1 pass\b/, "bun server.js": /^$/ },
  spends: 4,
  entry: "entry.test.mjs",
  imports: 'import { test, beforeAll, afterEach, afterAll } from "bun:test";',
  command: "bun test ./entry.test.mjs",
  ends: { "service.fetch": "passes", startMockServer: "passes", ...notInterceptedEither },
});

const deno = (msw: string, ends: Runner["ends"]): Runner => ({
  name: `Deno, msw ${msw}`,
  packages: { msw },
  copies: {
    "first.js": readmeProgram,
    "ads.test.js": `${bunTests} > js deno`,
    "server.js": `${bunTests} > js bun deno`,
  },
  runs: {
    "deno run --allow-all first.js": fourPictures,
    "deno test ads.test.js": onePassed,
    "deno run --allow-net --allow-env server.js": /^$/,
  },
  spends: 4,
  entry: "entry.test.mjs",
  imports: 'import { test, before, afterEach, after } from "node:test";',
  hooks: nodeHooks,
  command: "deno test --allow-all --no-check entry.test.mjs",
  ends: { ...everyWay, ...ends },
});

/** The newest ones belong to the first hour: they also run what the README and the guides say. */
const newest: readonly Runner[] = [
  vitest("5.1.0", msw3, "passes", "node", {
    copies: { "first.test.ts": readmeTest },
    runs: { "npx vitest run first": onePassed },
  }),
  vitest("5.1.0", msw3, "passes", "happy-dom", {
    packages: { "happy-dom": "21.0.4" },
    copies: { "page.test.js": "docs/testing/happy-dom.md > js happy-dom" },
    runs: { "npx vitest run page": onePassed },
  }),
  jestEsm("30.5.2", msw3),
  jestCjs("30.5.2", msw3, withoutMsw),
  {
    name: "node:test",
    packages: { msw: msw3 },
    copies: { "ads.test.js": "docs/testing/msw-and-fixtures.md > js node-test" },
    runs: { "node --test ads.test.js": /pass 1\b/ },
    entry: "entry.test.mjs",
    imports: 'import { test, before, afterEach, after } from "node:test";',
    hooks: nodeHooks,
    command: "node --test entry.test.mjs",
    ends: { ...everyWay, forgotten: notListening },
  },
  bun(msw3),
  deno(msw3, notInterceptedEither),
];

const older: readonly Runner[] = [
  vitest("2.1.9", msw3, needsVitest),
  vitest("3.1.4", msw3, needsVitest),
  vitest("3.2.4", msw3, "passes"),
  vitest("4.1.12", msw2, "passes"),
  vitest("5.1.0", msw3, "passes", "jsdom", { packages: { jsdom: "31.0.1" } }),
  jestEsm("29.7.0", msw3),
  jestEsm("30.5.2", msw2),
  jestCjs("29.7.0", msw3, withoutMsw),
  jestCjs("30.5.2", msw2, withoutMsw),
  jestCjs("30.5.2", msw3, { ...everyWay, forgotten: "passes" }, "--experimental-vm-modules"),
  {
    name: "Mocha 12.0.3",
    packages: { mocha: "12.0.3", msw: msw3 },
    entry: "entry.test.mjs",
    imports: "const test = it;",
    hooks: nodeHooks,
    command: "node node_modules/mocha/bin/mocha.js entry.test.mjs",
    ends: { ...everyWay, forgotten: "passes" },
  },
  bun(msw2),
  // MSW 2 intercepts there; MSW 3 does not.
  deno(msw2, {}),
];

const programs = join(import.meta.dirname, "programs");

/** Gives the entry file of a set-up. Those that need no MSW stand in a program of their own. */
const entryOf = async (runner: Runner, suite: string, folder: string): Promise<string> => {
  const [beforeAll, afterEach, afterAll] = runner.hooks ?? hookNames;
  const hooks = `{ beforeAll: ${beforeAll}, afterEach: ${afterEach}, afterAll: ${afterAll} }`;
  const call = `suites[${JSON.stringify(suite)}]({ test, hooks: ${hooks} });`;
  const program = /service\.fetch|startMockServer/.test(suite) ? "plain-suites" : "msw-suites";
  if (runner.entry.endsWith(".mjs")) {
    return `${runner.imports ?? ""}\nimport { suites } from "./${program}.mjs";\n${call}`;
  }
  const outfile = join(folder, `${program}.cjs`);
  const entryPoints = [join(folder, `${program}.mjs`)];
  await build({ entryPoints, outfile, bundle: true, format: "cjs", packages: "external" });
  return `const { suites } = require("./${program}.cjs");\n${call}`;
};

const withSuites = (runner: Runner): Setting => ({
  ...runner,
  // Old runners know no peers as new as these.
  install: `npm install --force ${quietly}`,
  async play({ folder, check }) {
    cpSync(programs, folder, { recursive: true });
    await using live = await startMockServer({ accounts: { "test-key": {} } });
    for (const [suite, end] of Object.entries(runner.ends)) {
      await check(`${suite} ${end === "passes" ? end : "is refused"}`, async () => {
        live.service.reset();
        writeFileSync(join(folder, runner.entry), await entryOf(runner, suite, folder));
        const { status, output } = await run(runner.command, folder, { SERVICE_URL: live.url });
        assert.equal(live.service.journal.entries.length, 0, "requests have got out");
        assert.equal(status === 0, end === "passes", output);
        if (end !== "passes") assert.match(output.replace(/\s+/g, " "), end);
      });
    }
  },
});

export const newestRunners = newest.map(withSuites);
export const olderRunners = older.map(withSuites);
