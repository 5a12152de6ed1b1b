import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { assumptions, assumptionsTable } from "../../mocks/conformance/assumptions.ts";

const marksIn = (text: string): string[] =>
  Array.from(text.matchAll(/@assumed((?: A\d+)+)/g), ([, marks = ""]) => marks.trim().split(" "))
    .flat()
    .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));

const marksOf = (file: string): string =>
  [...new Set(marksIn(readFileSync(file, "utf8")))].join(" ");

test("each assumption about the wire is marked where contract or mock make it", () => {
  const files = globSync("{src/contract/*,mocks/domain/messages}.ts").sort();
  const marked = files.map((file) => [file.replace("src/contract/", ""), marksOf(file)]);
  expect(Object.fromEntries(marked.filter(([, marks]) => marks !== ""))).toEqual({
    "mocks/domain/messages.ts": "A15",
    "bodies.ts": "A1 A2 A5 A6",
    "brands.ts": "A5 A7",
    "endpoint.ts": "A4 A7",
    "jobs.ts": "A1 A2 A3 A4 A8 A9 A10",
    "page.ts": "A4",
    "saved-ads.ts": "A6",
  });
});

test("every mark has the number of a known assumption", () => {
  for (const file of globSync("{src,mocks}/**/*.ts")) {
    const text = readFileSync(file, "utf8");
    for (const mark of marksIn(text)) expect(assumptions).toHaveProperty(mark);
    expect(text.match(/@assumed(?! A\d)/g), file).toBeNull();
  }
});

test("the docs list all assumptions, in the words of the OpenAPI document", () => {
  const page = readFileSync("docs/service/documented-and-assumed.md", "utf8");
  const [, table] = /<!-- assumptions -->\s+(.*?)\s+<!-- \/assumptions -->/s.exec(page) ?? [];
  expect(table).toBe(assumptionsTable());
});
