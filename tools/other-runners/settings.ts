/** The runners and runtimes, and how each set-up has to end in them. */

/** Names of the set-ups in programs/suites.mjs. */
type Suite =
  | "service.fetch"
  | "startMockServer"
  | "hooks"
  | "three lines"
  | "forgotten"
  | "in the test"
  | "fixtures"
  | "guide";

/** Passes, or fails with these words. In both cases no paid request leaves. */
export type End = "passes" | RegExp;

export interface Setting {
  readonly name: string;
  /** Packages with exact versions, beside adgen-sdk. */
  readonly packages: Readonly<Record<string, string>>;
  /** Name of the entry file; `.cjs` for a program that uses `require`. */
  readonly entry: string;
  /** Text that brings `test` and the hooks into the entry's scope. */
  readonly imports?: string;
  /** Names of the hooks, in the order of beforeAll, afterEach, afterAll. */
  readonly hooks?: readonly [string, string, string];
  /** Further files of the folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** Command line behind the runtime, in the setting's folder. */
  readonly command: readonly string[];
  /** @default "node" */
  readonly runtime?: "node" | "bun" | "deno";
  readonly ends: Readonly<Partial<Record<Suite, End>>>;
  /** Marker of the guides' code block that is the set-up "guide". */
  readonly guide?: string;
}

const msw3 = "3.0.5";
const msw2 = "2.15.0";
const hookNames = ["beforeAll", "afterEach", "afterAll"] as const;
const nodeHooks = ["before", "afterEach", "after"] as const;

const notListening = /it does not listen yet\. Call listen/;
const needsVitest = /mockFixtures needs Vitest 3\.2/;
const notIntercepted = /MSW cannot intercept (fetch|node:http) in (Bun|Deno)/;

const everyWay = {
  "service.fetch": "passes",
  startMockServer: "passes",
  hooks: "passes",
  "three lines": "passes",
  "in the test": "passes",
} as const;

const vitest = (
  version: string,
  msw: string,
  fixtures: End,
  environment = "node",
  others: Readonly<Record<string, string>> = {},
  ends: Setting["ends"] = {},
): Setting => ({
  name: `Vitest ${version}${environment === "node" ? "" : `, ${environment}`}, msw ${msw}`,
  packages: { vitest: version, msw, ...others },
  entry: "entry.test.mjs",
  imports: 'import { test, beforeAll, afterEach, afterAll } from "vitest";',
  // Or vitest finds the one of this repository.
  files: { "vitest.config.mjs": "export default {};" },
  command: ["node_modules/vitest/vitest.mjs", "run", `--environment=${environment}`],
  ends: { ...everyWay, forgotten: notListening, fixtures, ...ends },
  guide: "js happy-dom",
});

const jestEsm = (version: string, msw: string): Setting => ({
  guide: "js jest",
  name: `Jest ${version}, ES modules, msw ${msw}`,
  packages: { jest: version, msw },
  entry: "entry.test.mjs",
  files: { "jest.config.json": '{"testMatch":["**/*.test.mjs"],"transform":{}}' },
  command: ["--experimental-vm-modules", "node_modules/jest/bin/jest.js"],
  // Jest's hooks are globals: nothing has to be said.
  ends: { ...everyWay, forgotten: "passes", guide: "passes" },
});

const jestCjs = (
  version: string,
  msw: string,
  ends: Setting["ends"],
  flags: readonly string[] = [],
): Setting => ({
  guide: "js jest-commonjs",
  name: `Jest ${version}, CommonJS${flags.length > 0 ? " with the flag" : ""}, msw ${msw}`,
  packages: { jest: version, msw },
  entry: "entry.test.cjs",
  files: { "jest.config.json": '{"testMatch":["**/*.test.cjs"],"transform":{}}' },
  command: [...flags, "node_modules/jest/bin/jest.js"],
  ends: { ...ends, guide: "passes" },
});

/** Jest reads all files as CommonJS, and MSW 3 and a dependency of MSW 2 are ES modules. */
const noEsModules = /Cannot use import statement|Must use import|unexpected token/;
const withoutMsw = {
  "service.fetch": "passes",
  startMockServer: "passes",
  hooks: noEsModules,
} as const;

export const settings: readonly Setting[] = [
  vitest("2.1.9", msw3, needsVitest),
  vitest("3.1.4", msw3, needsVitest),
  vitest("3.2.4", msw3, "passes"),
  vitest("4.1.12", msw2, "passes"),
  vitest("5.1.0", msw3, "passes"),
  vitest("5.1.0", msw3, "passes", "happy-dom", { "happy-dom": "21.0.4" }, { guide: "passes" }),
  vitest("5.1.0", msw3, "passes", "jsdom", { jsdom: "31.0.1" }),
  jestEsm("29.7.0", msw3),
  jestEsm("30.5.2", msw3),
  jestEsm("30.5.2", msw2),
  jestCjs("29.7.0", msw3, withoutMsw),
  jestCjs("30.5.2", msw3, withoutMsw),
  jestCjs("30.5.2", msw2, withoutMsw),
  jestCjs("30.5.2", msw3, { ...everyWay, forgotten: "passes" }, ["--experimental-vm-modules"]),
  {
    name: "Mocha 12.0.3",
    packages: { mocha: "12.0.3", msw: msw3 },
    entry: "entry.test.mjs",
    imports: "const test = it;",
    hooks: nodeHooks,
    command: ["node_modules/mocha/bin/mocha.js", "entry.test.mjs"],
    ends: { ...everyWay, forgotten: "passes" },
  },
  {
    name: "node:test",
    packages: { msw: msw3 },
    entry: "entry.test.mjs",
    imports: 'import { test, before, afterEach, after } from "node:test";',
    hooks: nodeHooks,
    command: ["--test", "entry.test.mjs"],
    ends: { ...everyWay, forgotten: notListening },
  },
  ...[msw3, msw2].flatMap((msw): Setting[] => [
    {
      name: `Bun, msw ${msw}`,
      packages: { msw },
      entry: "entry.test.mjs",
      imports: 'import { test, beforeAll, afterEach, afterAll } from "bun:test";',
      runtime: "bun",
      command: ["test", "./entry.test.mjs"],
      ends: {
        "service.fetch": "passes",
        startMockServer: "passes",
        hooks: notIntercepted,
        "three lines": notIntercepted,
        "in the test": notIntercepted,
      },
    },
    {
      name: `Deno, msw ${msw}`,
      packages: { msw },
      entry: "entry.test.mjs",
      imports: 'import { test, before, afterEach, after } from "node:test";',
      hooks: nodeHooks,
      runtime: "deno",
      command: ["test", "--allow-all", "--no-check", "entry.test.mjs"],
      // MSW 2 intercepts there; MSW 3 does not.
      ends: {
        ...everyWay,
        ...(msw === msw3 && {
          hooks: notIntercepted,
          "three lines": notIntercepted,
          "in the test": notIntercepted,
        }),
      },
    },
  ]),
];

/** Names of the hooks, for a setting that does not say its own. */
export const usualHooks = hookNames;
