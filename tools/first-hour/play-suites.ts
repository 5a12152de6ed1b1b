/** Plays set-ups of the mock in a runner, beside a server that no request may reach. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { makeSelfSigned } from "../../test/helpers/self-signed.ts";
import { quietly, type Setting } from "./play-setting.ts";
import { run } from "./processes.ts";

export interface Runner extends Setting {
  /** Code that imports `test` and the hooks, for a runner without globals. */
  readonly imports?: string;
  /** Command that runs the file `entry.test.mjs`, or `entry.test.cjs` of a package of CommonJS. */
  readonly command: string;
  /** Set-ups of the folder `programs` that pay the mock. */
  readonly passes: readonly string[];
  /** Set-ups that must fail, and the words that they print. None of their requests may leave. */
  readonly refuses?: Readonly<Record<string, RegExp>>;
  /** Further settings of the command. @param real - Address of the server that nothing may reach */
  readonly env?: (real: string) => Readonly<Record<string, string>>;
}

export const withoutMsw = ["service.fetch", "startMockServer"];
export const withMsw = ["hooks", "three lines", "in the test"];
export const plainSuites = [...withoutMsw, "refuseNetwork"];
/** Set-ups that need Node's reports of requests, which Bun and Deno don't make. */
const guarded = ["left open", "two mocks of one service", "each state"];
export const everyWay = [...plainSuites, ...withMsw, ...guarded];
/** Writes two test files that differ in the suites they load. Most commands run only the first. */
const entriesOf = ({ type, imports = "" }: Runner): Record<string, string> => {
  const [load, ending] = type === "commonjs" ? ["require", "cjs"] : ["await import", "mjs"];
  const textOf = (prefix: string) => `${imports}
const { PROGRAM, SUITE } = process.env;
const { suites } = ${load}(\`./${prefix}\${PROGRAM}.${ending}\`);
suites[SUITE]({ test, hooks: { beforeAll, afterEach, afterAll } });`;
  return {
    [`entry.test.${ending}`]: textOf(""),
    [`other.test.${ending}`]: textOf("other-"),
    "other-msw-suites.mjs": readFileSync("tools/first-hour/programs/msw-suites.mjs", "utf8"),
  };
};

/**
 * Starts a server that stands for the real service, and for a proxy with a tunnel to it. Its
 * address is 0.0.0.0, because the guard would take 127.0.0.1 for loopback.
 */
export const startReal = async () => {
  const received: string[] = [];
  const note = ({ method, url }: IncomingMessage, response: ServerResponse): void => {
    received.push(`${method} ${url}`);
    response.setHeader("connection", "close").end("{}");
  };
  // An unused tunnel keeps the client's process alive, so the handshake ends after a second.
  const options = { ...(await makeSelfSigned("ads.invalid")), handshakeTimeout: 1_000 };
  const secure = createSecureServer(options, note).on("tlsClientError", () => {});
  const server = createServer(note)
    .on("connect", (_, socket) => {
      socket.on("error", () => {}).write("HTTP/1.1 200 OK\r\n\r\n");
      secure.emit("connection", socket);
    })
    .listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://0.0.0.0:${(server.address() as AddressInfo).port}`;
  return { url, received, close: () => server.close() };
};

export const withSuites = (runner: Runner): Setting => ({
  ...runner,
  from: "tools/first-hour/programs",
  files: { ...runner.files, ...entriesOf(runner) },
  // Without `--force`, npm refuses old runners because the peers are newer than they allow.
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
