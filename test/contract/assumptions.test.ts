import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { assumptions, assumptionsTable } from "../../tools/openapi/assumptions.ts";

test("each assumption about the wire is marked where it is made, by the number of a known one", () => {
  const marked: Record<string, string> = {};
  for (const file of globSync("{src,mocks}/**/*.ts")) {
    const text = readFileSync(file, "utf8");
    const found = Array.from(text.matchAll(/@assumed((?: A\d+)+)/g), ([, marks = ""]) => marks);
    const numbers = new Set(found.flatMap((marks) => marks.trim().split(" ")));
    for (const number of numbers) expect(assumptions).toHaveProperty(number);
    expect(text.match(/@assumed(?! A\d)/g), file).toBeNull();
    const inOrder = Object.keys(assumptions).filter((number) => numbers.has(number));
    if (numbers.size > 0 && /contract|messages/.test(file))
      marked[file.replace("src/contract/", "")] = inOrder.join(" ");
  }
  expect(marked).toEqual({
    "mocks/domain/messages.ts": "A15",
    "bodies.ts": "A1 A2 A5 A6",
    "brands.ts": "A5 A7",
    "endpoint.ts": "A4 A7",
    "jobs.ts": "A1 A2 A3 A4 A8 A9 A10 A11",
    "page.ts": "A4",
    "saved-ads.ts": "A6",
  });
});

test("the docs list all assumptions, in the words of the OpenAPI document", () => {
  const page = readFileSync("docs/service/documented-and-assumed.md", "utf8");
  const [, table] = /<!-- assumptions -->\s+(.*?)\s+<!-- \/assumptions -->/s.exec(page) ?? [];
  expect(table).toBe(assumptionsTable());
});
