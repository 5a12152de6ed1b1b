import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { afterAll, describe, expect, inject, test } from "vitest";
import { runNode } from "./run.ts";

const { plain } = inject("packed");
const folder = mkdtempSync(join(tmpdir(), "adgen-old-tools-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const setUp = "exports.setupServer = exports.setupWorker = () => {};";

/** Exports of old versions, as far as they decide. */
const files = {
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
  "@playwright/test 1.40.0": { "index.js": "" },
} as const;

/** Makes an app that has the package and one tool. */
const makeApp = (tool: keyof typeof files): string => {
  const [name = "", version = ""] = tool.split(" ");
  const app = mkdtempSync(join(folder, "app-"));
  const place = join(app, "node_modules", name);
  mkdirSync(place, { recursive: true });
  const exports = { ".": "./index.js", "./node": "./node.js", "./package.json": "./package.json" };
  const manifest = JSON.stringify({ name, version, type: "commonjs", exports });
  for (const [file, text] of Object.entries({ ...files[tool], "package.json": manifest })) {
    writeFileSync(join(place, file), text);
  }
  // Copied, because a link is looked up where it leads to.
  cpSync(join(plain, "node_modules/adgen-sdk"), join(app, "node_modules/adgen-sdk"), {
    recursive: true,
  });
  return app;
};

const mocks = "adgen-sdk/mocks";

describe.each(["module", "commonjs"])("in a file of type %s", (type) => {
  test.concurrent.each([
    ["msw 1.3.5", `${mocks}/node`, "setupMockServer()", "2.14"],
    ["msw 2.4.9", `${mocks}/node`, "setupMockServer()", "2.14"],
    ["msw 1.3.5", `${mocks}/msw`, "createHandlers()", "2.14"],
    ["bullmq 5.40.0", "adgen-sdk/bullmq", "createProcessor({})", "6"],
    ["@playwright/test 1.40.0", `${mocks}/playwright`, 'mockFixtures({ url: "http://a" })', "1.41"],
  ] as const)(
    "%s is named by %s, with the version that it needs",
    async (tool, entry, call, lowest) => {
      const [name, version] = tool.split(" ");
      const [what] = call.split("(");
      const load =
        type === "module"
          ? `import { ${what} } from "${entry}";`
          : `const { ${what} } = require("${entry}");`;
      const args = [`--input-type=${type}`, "--eval", `${load} ${call};`];
      const { status, stderr } = await runNode(makeApp(tool), args);
      expect(status).toBe(1);
      expect(stderr).toContain(` needs ${name} ${lowest} or newer, found ${version}: npm install`);
    },
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
