import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Context, createContext, Script } from "node:vm";
import { expect, inject, test } from "vitest";

const { plain } = inject("packed");

/** Loads a CommonJS file, and its neighbours, in a context. */
const load = (file: string, context: Context): Record<string, unknown> => {
  const text = readFileSync(file, "utf8");
  const script = new Script(`((module, exports, require) => {${text}\n})`, { filename: file });
  const module = { exports: {} };
  const fileOf = (path: string) =>
    path === "adgen-sdk" ? join(dirname(file), "index.cjs") : join(dirname(file), path);
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
  ["dist/proxy.cjs", "createProxy", Function],
  ["dist/mocks/index.cjs", "createMockService", Function],
])("%s is loaded where the platform is missing, as in Jest with jsdom", (path, name, kind) => {
  expect(loadBare(path)).toHaveProperty(name, expect.any(kind));
});
