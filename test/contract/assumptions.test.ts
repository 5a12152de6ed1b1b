import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { assumptions, assumptionsTable } from "../../mocks/conformance/assumptions.ts";

test("what the code assumes about the wire is marked by the number of a known assumption", () => {
  for (const file of globSync("{src,mocks}/**/*.ts")) {
    const text = readFileSync(file, "utf8");
    const found = Array.from(text.matchAll(/@assumed((?: A\d+)+)/g), ([, marks = ""]) => marks);
    const numbers = new Set(found.flatMap((marks) => marks.trim().split(" ")));
    for (const number of numbers) expect(assumptions, file).toHaveProperty(number);
    expect(text.match(/@assumed(?! A\d)/g), file).toBeNull();
  }
});

test("the docs list all assumptions, in the words of the OpenAPI document", () => {
  const page = readFileSync("docs/service/documented-and-assumed.md", "utf8");
  const [, table] = /<!-- assumptions -->\s+(.*?)\s+<!-- \/assumptions -->/s.exec(page) ?? [];
  expect(table).toBe(assumptionsTable());
  const last = Object.keys(assumptions).at(-1);
  expect(readFileSync("README.md", "utf8")).toContain(`(A1 to ${last})`);
});
