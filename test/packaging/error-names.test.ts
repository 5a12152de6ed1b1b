import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { describe, expect, inject, test } from "vitest";

type ErrorClass = new (code: string, message: string) => Error;

const { plain } = inject("packed");
const index = join(plain, "node_modules/adgen-sdk/dist/index");

const errorClasses = (exported: Record<string, unknown>): [string, ErrorClass][] =>
  Object.entries(exported).filter(
    (entry): entry is [string, ErrorClass] =>
      typeof entry[1] === "function" && entry[1].prototype instanceof Error,
  );

// A bundler renames a class that meets another of its name, or that names itself in a static block.
describe.each([
  ["ESM", async () => import(pathToFileURL(`${index}.js`).href)],
  ["CommonJS", async () => createRequire(import.meta.url)(`${index}.cjs`)],
])("in the package's %s files", (_format, load) => {
  test("every error class has the name by which it is exported", async () => {
    const classes = errorClasses(await load());
    expect(classes.length).toBeGreaterThanOrEqual(13);
    expect(classes.map(([, { name }]) => name)).toEqual(classes.map(([name]) => name));
  });

  test("every error is printed with its name first", async () => {
    for (const [name, ErrorClass] of errorClasses(await load())) {
      const [firstLine] = inspect(new ErrorClass("connection", "No answer came")).split("\n");
      // An aborted call's error bears the platform's name, so that code for `fetch` knows it.
      const title = name === "AbortedError" ? "AbortedError [AbortError]" : name;
      expect(firstLine).toBe(`${title}: No answer came`);
    }
  });
});
