/** Checks that the guard stops every request, whichever package sends it or replaces a global. */
import assert from "node:assert/strict";
import type { Setting } from "./play-setting.ts";
import { everyWay, plainSuites, type Runner, startReal, withSuites } from "./play-suites.ts";
import { start } from "./processes.ts";
import { jestEsm, msw3, nodeTest, runJest } from "./runners.ts";

const onNode = (name: string, packages: Record<string, string>, more: Partial<Runner>): Runner => ({
  name: `Guard: ${name}`,
  packages,
  imports: nodeTest,
  command: "node --test entry.test.mjs",
  passes: everyWay,
  ...more,
});

/** Runs two test files in one process. They share a mock, so each file must register its hooks. */
const twoFiles = (
  name: string,
  packages: Record<string, string>,
  command: string,
  imports: string,
) =>
  onNode(
    `${name}, two files in one process`,
    { msw: msw3, ...packages },
    {
      imports,
      command: `${command} entry.test.mjs other.test.mjs`,
      passes: ["hooks", "three lines", "two mocks of one service"],
    },
  );

const mocha = "const [test, beforeAll, afterAll] = [it, before, after];";
/** Jasmine refuses two specs with one name. */
const jasmine = "const test = (name, run) => it(name + import.meta.url, run);";

/** Sets the variables by which requests go through a proxy: here it is the counting server. */
const behindProxy = (scheme: string, more?: Record<string, string>) => (real: string) => ({
  SERVICE_URL: `${scheme}://ads.invalid`,
  HTTP_PROXY: real,
  HTTPS_PROXY: real,
  NODE_TLS_REJECT_UNAUTHORIZED: "0",
  ...more,
});

const undici = ["5.29.0", "6.29.1", "7.30.2", "8.13.0"];
const axios = { msw: msw3, axios: "1.21.1" };

/** Packages that send requests, or replace what the guard relies on. */
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
  twoFiles("node:test", {}, "node --test --test-isolation=none", nodeTest),
  twoFiles("Mocha", { mocha: "12.0.3" }, "node node_modules/mocha/bin/mocha.js", mocha),
  twoFiles("Jasmine", { jasmine: "7.0.0" }, "node node_modules/jasmine/bin/jasmine.js", jasmine),
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

/** The mock stands behind a whole Next.js server, which puts its own `fetch` in place of Node's. */
const inNext: Setting = {
  name: "Guard: Next.js, instrumentation",
  packages: { next: "16.4.6", react: "19.3.1", "react-dom": "19.3.1", msw: msw3 },
  from: "tools/first-hour/programs",
  files: {
    "instrumentation.js": `
export const register = async () => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { setupMockServer } = await import("adgen-sdk/mocks/node");
  const mock = setupMockServer({ baseUrl: process.env.SERVICE_URL, hooks: false });
  await mock.listen();
  globalThis.service = mock.service;
};`,
    "app/pay/route.js": `
import { expectCharges, payInEveryWay } from "../../pay.mjs";

export const GET = async () => {
  const { service } = globalThis;
  service.reset();
  const said = await payInEveryWay().then(
    (count) => expectCharges(service, count),
    (error) => error.message,
  );
  return new Response(said ?? "paid");
};`,
    // Next must load both packages as Node does, because only one of them may take a request.
    "next.config.mjs": 'export default { serverExternalPackages: ["adgen-sdk", "msw"] };',
  },
  async play({ folder, check }) {
    const real = await startReal();
    const app = start("npx next dev --port 0", folder, { SERVICE_URL: real.url });
    const [, url] = await app.says(/(http:\/\/localhost:\d+)/);
    for (const time of ["first", "second"]) {
      await check(`the ${time} page pays the mock alone`, async () => {
        const answer = await (await fetch(`${url}/pay`)).text();
        assert.deepEqual(real.received, [], "requests have got out");
        assert.equal(answer, "paid", app.printed());
      });
    }
    await app.kill();
    real.close();
  },
};

export const guardSettings: readonly Setting[] = [...guards.map(withSuites), inNext];
