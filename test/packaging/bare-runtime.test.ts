import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Context, createContext, Script } from "node:vm";
import { build } from "esbuild";
import { expect, inject, test } from "vitest";

const { plain } = inject("packed");

/** Loads a CommonJS file, and its neighbours, in a context. */
const load = (file: string, context: Context): Record<string, unknown> => {
  const text = readFileSync(file, "utf8");
  const script = new Script(`((module, exports, require) => {${text}\n})`, { filename: file });
  const module = { exports: {} };
  const fileOf = (path: string) =>
    join(
      dirname(file),
      path.replace(/^adgen-sdk$/, "index.cjs").replace(/^adgen-sdk\/(.*)/, "$1.cjs"),
    );
  const require = (path: string) => load(fileOf(path), context);
  script.runInContext(context)(module, module.exports, require);
  return module.exports;
};

/** Loads a file where there is JavaScript alone: not even `URL`, `Request`, `console`. */
const loadBare = (path: string) =>
  load(join(plain, "node_modules/adgen-sdk", path), createContext({}));

// Jest with jsdom has a `URL` and a document, but no TextEncoder, fetch, Request or Response.
test.each([
  ["dist/index.cjs", "createClient", Function],
  ["dist/assumed.cjs", "assumedSchemas", Object],
  ["dist/files.cjs", "saveFiles", Function],
  ["dist/proxy.cjs", "createProxy", Function],
  ["dist/mocks/index.cjs", "createMockService", Function],
])("%s is loaded where the platform is missing, as in Jest with jsdom", (path, name, kind) => {
  expect(loadBare(path)).toHaveProperty(name, expect.any(kind));
});

test("the ES modules of the client are loaded there, too", async () => {
  const entryPoints = [join(plain, "node_modules/adgen-sdk/dist/index.js")];
  const { outputFiles } = await build({
    entryPoints,
    bundle: true,
    write: false,
    format: "iife",
    globalName: "sdk",
  });
  const context = createContext({});
  new Script(outputFiles[0]?.text ?? "").runInContext(context);
  expect(context["sdk"]).toHaveProperty("createClient", expect.any(Function));
});
