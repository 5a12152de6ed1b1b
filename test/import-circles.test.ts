import { describe, expect, test } from "vitest";
import { findBreaches } from "../tools/house-rules.ts";
import { parseModules } from "../tools/module-graph.ts";

const breachesOf = (files: Record<string, string>) => findBreaches(parseModules(files));

describe("reports a planted circle", () => {
  test("of two files", () => {
    const files = {
      "src/answer/a.ts": 'import "./b.ts";',
      "src/answer/b.ts": 'import "./a.ts";',
    };
    expect(breachesOf(files)).toEqual([
      "src/answer/a.ts is in a circle of imports: src/answer/b.ts → src/answer/a.ts",
    ]);
  });

  test("of types, through a third file, and of a file that leads to it only once", () => {
    const files = {
      "src/errors/a.ts": 'import type { B } from "./b.ts";',
      "src/errors/b.ts": 'export let c: import("./c.ts").C;',
      "src/errors/c.ts": 'import type { A } from "./a.ts";',
      "src/errors/before.ts": 'import "./a.ts";',
    };
    expect(breachesOf(files)).toEqual([
      "src/errors/a.ts is in a circle of imports: src/errors/b.ts → src/errors/c.ts → src/errors/a.ts",
    ]);
  });

  test("of a file with itself", () => {
    expect(breachesOf({ "src/errors/a.ts": 'import type { A } from "./a.ts";' })).toEqual([
      "src/errors/a.ts is in a circle of imports: src/errors/a.ts",
    ]);
  });

  test("but none of two ways to the same file", () => {
    const files = {
      "src/errors/a.ts": 'import "./b.ts";\nimport "./c.ts";',
      "src/errors/b.ts": 'import "./d.ts";',
      "src/errors/c.ts": 'import "./d.ts";',
      "src/errors/d.ts": "export const d = 1;",
    };
    expect(breachesOf(files)).toEqual([]);
  });
});
