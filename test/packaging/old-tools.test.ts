import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { afterAll, describe, expect, inject, test } from "vitest";
import { runNode } from "./consumers.ts";

const { plain } = inject("packed");
const folder = mkdtempSync(join(tmpdir(), "adgen-old-tools-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const setUp = "exports.setupServer = exports.setupWorker = () => {};";

/** Exports of old versions, as far as the package looks at them. */
const old = {
  "msw 1.3.5": { "index.js": "exports.rest = {};", "node.js": setUp },
  "msw 2.4.9": {
    "index.js":
      "exports.http = {}; exports.passthrough = exports.getResponse = () => {};" +
      "exports.RequestHandler = class {};",
    "node.js": setUp,
  },
  "bullmq 5.40.0": {
    "index.js":
      "exports.Queue = exports.Worker = exports.QueueEvents = class {};" +
      "exports.DelayedError = exports.UnrecoverableError = class extends Error {};",
  },
} as const;
type OldTool = keyof typeof old;

/** Makes an app that has the package and old tools. */
const makeApp = (...tools: readonly OldTool[]): string => {
  const app = mkdtempSync(join(folder, "app-"));
  for (const tool of tools) {
    const [name = "", version = ""] = tool.split(" ");
    const place = join(app, "node_modules", name);
    mkdirSync(place, { recursive: true });
    const exports = {
      ".": "./index.js",
      "./node": "./node.js",
      "./package.json": "./package.json",
    };
    const manifest = JSON.stringify({ name, version, type: "commonjs", exports });
    for (const [file, text] of Object.entries({ ...old[tool], "package.json": manifest })) {
      writeFileSync(join(place, file), text);
    }
  }
  // Copy the package, because Node would resolve imports of a link from the link's target.
  cpSync(join(plain, "node_modules/adgen-sdk"), join(app, "node_modules/adgen-sdk"), {
    recursive: true,
  });
  return app;
};

const mocks = "adgen-sdk/mocks";

/** Old tools of one app, and calls that need newer ones, with the lowest version that each names. */
const apps: [tools: OldTool[], calls: [entry: string, call: string, needed: string][]][] = [
  [
    ["msw 1.3.5", "bullmq 5.40.0"],
    [
      [`${mocks}/node`, "setupMockServer()", "msw 2.14 or newer, found 1.3.5"],
      [`${mocks}/msw`, "createHandlers()", "msw 2.14 or newer, found 1.3.5"],
      ["adgen-sdk/bullmq", "createProcessor({})", "bullmq 6 or newer, found 5.40.0"],
    ],
  ],
  [["msw 2.4.9"], [[`${mocks}/node`, "setupMockServer()", "msw 2.14 or newer, found 2.4.9"]]],
];

describe.each(["module", "commonjs"])("in a file of type %s", (type) => {
  test.concurrent.each(apps)(
    "the error about %j names the lowest version that fits",
    async (tools, calls) => {
      const tries = calls.map(([entry, call]) => {
        const load = type === "module" ? `await import("${entry}")` : `require("${entry}")`;
        return `try { (${load}).${call}; } catch ({ message }) { console.log(message); }`;
      });
      const program = `(async () => { ${tries.join("\n")} })();`;
      const args = [`--input-type=${type}`, "--eval", program];
      const { stdout, stderr } = await runNode(makeApp(...tools), args);
      expect(stderr).toBe("");
      const needs = calls.map(([, , needed]) => expect.stringContaining(` needs ${needed}: npm i`));
      expect(stdout.trimEnd().split("\n")).toEqual(needs);
    },
  );
});

test("in a CommonJS file, an app without msw is told how to install it", async () => {
  const name = JSON.stringify(`${mocks}/node`);
  const program = `(async () => require(${name}))().catch((error) => {
    console.log([error.message, error.cause.code].join());
  });`;
  const args = ["--input-type=commonjs", "--eval", program];
  const { stdout, stderr } = await runNode(makeApp(), args);
  expect(stderr).toBe("");
  expect(stdout).toMatch(
    /^adgen-sdk\/mocks\/node needs msw, which is not installed: npm install --save-dev msw,.*MODULE_NOT_FOUND$/m,
  );
});

test("an old msw is refused in a page too, where no version can be read", async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: 'import { createHandlers } from "adgen-sdk/mocks/msw"; createHandlers();',
      resolveDir: makeApp("msw 2.4.9"),
    },
    bundle: true,
    format: "iife",
    platform: "browser",
    write: false,
    tsconfigRaw: {},
  });
  const load = () => runInContext(outputFiles?.[0]?.text ?? "", createContext({}));
  expect(load).toThrow(
    /adgen-sdk\/mocks needs msw 2\.14 or newer, found an older one: npm install/,
  );
});
