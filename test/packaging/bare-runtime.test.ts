import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, Script } from "node:vm";
import { expect, inject, test } from "vitest";

const { plain } = inject("packed");

/** Loads a CommonJS file where there is JavaScript alone: not even `URL`, `Request`, `console`. */
const loadBare = (path: string): Record<string, unknown> => {
  const file = join(plain, "node_modules/adgen-sdk", path);
  const script = new Script(`((module, exports) => {${readFileSync(file, "utf8")}\n})`, {
    filename: file,
  });
  const load = script.runInContext(createContext({}));
  const module = { exports: {} };
  load(module, module.exports);
  return module.exports;
};

// Jest with jsdom has a `URL` and a document, but no TextEncoder, fetch, Request or Response.
test.each([
  ["dist/index.cjs", "createClient"],
  ["dist/mocks/index.cjs", "createMockService"],
])("%s is loaded where the platform is missing, as in Jest with jsdom", (path, name) => {
  expect(loadBare(path)).toHaveProperty(name, expect.any(Function));
});
