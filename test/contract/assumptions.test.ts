import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { assumptions, assumptionsTable } from "../../mocks/conformance/assumptions.ts";

const marksIn = (text: string): string[] =>
  Array.from(text.matchAll(/@assumed((?: A\d+)+)/g), ([, marks = ""]) => marks.trim().split(" "))
    .flat()
    .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));

const marksOf = (pattern: string): string[] => [
  ...new Set(
    marksIn(
      globSync(pattern)
        .map((file) => readFileSync(file, "utf8"))
        .join("\n"),
    ),
  ),
];

test("each assumption about the wire is marked where contract or mock make it", () => {
  expect(marksOf("{src/contract/*,mocks/domain/messages}.ts")).toEqual([
    "A1",
    "A2",
    "A3",
    "A4",
    "A5",
    "A6",
    "A7",
    "A8",
    "A9",
    "A10",
    "A15",
  ]);
});

test.each([
  ["src/contract/jobs.ts", ["A1", "A2", "A3", "A4", "A8", "A9", "A10"]],
  ["src/contract/bodies.ts", ["A1", "A2", "A5", "A6"]],
  ["src/contract/endpoint.ts", ["A4", "A7"]],
  ["src/contract/page.ts", ["A4"]],
  ["src/contract/brands.ts", ["A5", "A7"]],
  ["src/contract/saved-ads.ts", ["A6"]],
  ["src/contract/supported-actions.ts", []],
  ["mocks/domain/messages.ts", ["A15"]],
  ["src/contract/actions.ts", []],
  ["src/contract/envelope.ts", []],
])("%s makes just its own assumptions", (file, marks) => {
  expect(marksOf(file)).toEqual(marks);
});

test("every mark has the number of a known assumption", () => {
  for (const mark of marksOf("{src,mocks}/**/*.ts")) expect(assumptions).toHaveProperty(mark);
  for (const file of globSync("{src,mocks}/**/*.ts")) {
    const text = readFileSync(file, "utf8");
    expect(text.match(/@assumed(?! A\d)/g), file).toBeNull();
  }
});

test("the docs list all assumptions, in the words of the OpenAPI document", () => {
  const page = readFileSync("docs/service/documented-and-assumed.md", "utf8");
  const [, table] = /<!-- assumptions -->\s+(.*?)\s+<!-- \/assumptions -->/s.exec(page) ?? [];
  expect(table).toBe(assumptionsTable());
});
