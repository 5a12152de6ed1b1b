/**
 * The mock in other runners and runtimes, old ones too, and how each set-up has to end in them. A
 * listener stands where the real service would be: no byte may reach it.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import {
  fourPictures,
  quietly,
  readmeProgram,
  readmeTest,
  type Setting,
  somePassed,
} from "./play-setting.ts";
import { run } from "./processes.ts";

interface Runner extends Setting {
  /** Text that brings `test` and the hooks into the scope, where they are no globals. */
  readonly imports?: string;
  /** Command that runs the file `entry.test.mjs`, or `entry.test.cjs` of a package of CommonJS. */
  readonly command: string;
  /** Set-ups of the folder `programs` that pay the mock. */
  readonly passes: readonly string[];
  /** Those that have to fail, and with which words. Their requests leave no more than the others'. */
  readonly refuses?: Readonly<Record<string, RegExp>>;
  /** Further settings of the command. @param real - Address of the listener that nothing may reach */
  readonly env?: (real: string) => Readonly<Record<string, string>>;
}

const msw3 = "3.0.5";
const msw2 = "2.15.0";

const notListening = /it does not listen yet\. Call listen/;
const notIntercepted = /MSW cannot intercept every request in (Bun|Deno)/;

const withoutMsw = ["service.fetch", "startMockServer"];
const withMsw = ["hooks", "three lines", "in the test"];
const plainSuites = [...withoutMsw, "refuseNetwork"];
/** How Node's requests are guarded. Bun and Deno don't report them. */
const guarded = ["left open", "two mocks of one service", "each state"];
const everyWay = [...plainSuites, ...withMsw, ...guarded];
const refusesMsw = {
  passes: withoutMsw,
  refuses: Object.fromEntries(withMsw.map((suite) => [suite, notIntercepted])),
};

const nodeTest =
  'import { test, before as beforeAll, afterEach, after as afterAll } from "node:test";';
/** The guide's own test needs no configuration. */
const jestFiles = { "suites.json": '{"testMatch":["**/entry.*"],"transform":{}}' };
const runJest = "node_modules/jest/bin/jest.js --config suites.json";

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

const jestEsm = (version: string, msw: string): Runner => ({
  name: `Jest ${version}, ES modules, msw ${msw}`,
  packages: { jest: version, msw },
  copies: { "ads.test.js": "docs/testing/jest.md > js jest" },
  runs: { "NODE_OPTIONS=--experimental-vm-modules npx jest ads": somePassed },
  files: jestFiles,
  command: `node --experimental-vm-modules ${runJest}`,
  // Jest's hooks are globals: nothing has to be said.
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

/** The newest ones belong to the first hour: they also run what the README and the guides say. */
const newest: readonly Runner[] = [
  vitest("5.1.0", msw3, "node", {
    packages: { nock: "14.0.17" },
    copies: { "first.test.ts": readmeTest },
    runs: { "npx vitest run first": somePassed },
    refuses: { "nock, loaded late": /MSW does not get requests that are sent this way/ },
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

const onNode = (name: string, packages: Record<string, string>, more: Partial<Runner>): Runner => ({
  name: `Guard: ${name}`,
  packages,
  imports: nodeTest,
  command: "node --test entry.test.mjs",
  passes: everyWay,
  ...more,
});

const bothFiles = "entry.test.mjs other.test.mjs";

/** Lets every request that obeys these variables go to the listener, as to a company's proxy. */
const behindProxy = (scheme: string, more?: Record<string, string>) => (real: string) => ({
  SERVICE_URL: `${scheme}://ads.invalid`,
  HTTP_PROXY: real,
  HTTPS_PROXY: real,
  ...more,
});

const undici = ["5.29.0", "6.29.1", "7.30.2", "8.13.0"];
const axios = { msw: msw3, axios: "1.21.1" };

/** What sends requests, or stands in place of what the guard needs. */
const guards: readonly Runner[] = [
  onNode("msw 2.14.0", { msw: "2.14.0" }, {}),
  onNode("no msw", {}, { passes: plainSuites }),
  ...undici.map((version) =>
    onNode(`undici ${version}`, { msw: msw3, undici: version }, { passes: ["undici"] }),
  ),
  ...["http", "https"].flatMap((scheme) => [
    onNode(`axios and ${scheme} behind a proxy`, axios, {
      passes: ["axios", "each state"],
      env: behindProxy(scheme),
    }),
    onNode(`${scheme} with NODE_USE_ENV_PROXY`, axios, {
      passes: ["axios", "each state"],
      env: behindProxy(scheme, { NODE_USE_ENV_PROXY: "1" }),
    }),
  ]),
  onNode("Sinon", { msw: msw3, sinon: "22.1.0" }, { passes: ["Sinon's fake timers"] }),
  onNode(
    "two files in one process",
    { msw: msw3 },
    {
      command: `node --test --test-isolation=none ${bothFiles}`,
    },
  ),
  onNode(
    "Mocha, two files",
    { mocha: "12.0.3", msw: msw3 },
    {
      imports: "const [test, beforeAll, afterAll] = [it, before, after];",
      command: `node node_modules/mocha/bin/mocha.js ${bothFiles}`,
    },
  ),
  onNode(
    "Jasmine, two files",
    { jasmine: "7.0.0", msw: msw3 },
    {
      imports: "const test = it;",
      command: `node node_modules/jasmine/bin/jasmine.js ${bothFiles}`,
    },
  ),
  {
    ...jestEsm("30.5.2", msw3),
    name: "Guard: Jest 30.5.2 and jsdom",
    packages: {
      jest: "30.5.2",
      "jest-environment-jsdom": "30.5.2",
      "jest-fixed-jsdom": "0.0.11",
      msw: msw3,
    },
    copies: {},
    runs: {},
    command: `node --experimental-vm-modules ${runJest} --env=jest-fixed-jsdom`,
    passes: ["each state", "XMLHttpRequest"],
  },
];

/** Two test files with one text. Most commands run only the first one. */
const entriesOf = ({ type, imports = "" }: Runner): Record<string, string> => {
  const [load, ending] = type === "commonjs" ? ["require", "cjs"] : ["await import", "mjs"];
  const text = `${imports}
const { PROGRAM, SUITE } = process.env;
const { suites } = ${load}(\`./\${PROGRAM}.${ending}\`);
suites[SUITE]({ test, hooks: { beforeAll, afterEach, afterAll } });`;
  return { [`entry.test.${ending}`]: text, [`other.test.${ending}`]: text };
};

/** Starts what stands for the real service. By the name 0.0.0.0, the guard doesn't take it for loopback. */
const startReal = async () => {
  const received: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (bytes) => {
      received.push(bytes.toString("latin1"));
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://0.0.0.0:${(server.address() as AddressInfo).port}`;
  return { url, received, close: () => server.close() };
};

const withSuites = (runner: Runner): Setting => ({
  ...runner,
  from: "tools/first-hour/programs",
  files: { ...runner.files, ...entriesOf(runner) },
  // Old runners know no peers as new as these.
  install: `npm install --force ${quietly}`,
  async play({ folder, check }) {
    const { passes, refuses = {}, env: envOf = () => ({}) } = runner;
    const real = await startReal();
    for (const suite of [...passes, ...Object.keys(refuses)]) {
      const words = refuses[suite];
      await check(`${suite} ${words ? "is refused" : "passes"}`, async () => {
        real.received.length = 0;
        const PROGRAM = plainSuites.includes(suite) ? "plain-suites" : "msw-suites";
        const env = { SERVICE_URL: real.url, PROGRAM, SUITE: suite, ...envOf(real.url) };
        const { status, output } = await run(runner.command, folder, env);
        assert.deepEqual(real.received, [], `requests have got out:\n${output}`);
        assert.equal(status === 0, words === undefined, output);
        if (words) assert.match(output.replace(/\s+/g, " "), words);
      });
    }
    real.close();
  },
});

export const newestRunners = newest.map(withSuites);
export const olderRunners = older.map(withSuites);
export const guardedRunners = guards.map(withSuites);
