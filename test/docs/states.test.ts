// The table of a submission's states stands in the guide and in the code.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { guides } from "../helpers/documents.ts";

const rowsIn = (text: string, margin: string): string[] =>
  text
    .slice(text.indexOf(`${margin}| from | to | when |`))
    .split("\n")
    .map((line) => line.slice(margin.length))
    .slice(2)
    .filter((_, index, lines) => lines.slice(0, index + 1).every((line) => line.startsWith("| ")));

test("the guide and the code have the same table of states", () => {
  const guide = guides.find(({ path }) => path === "docs/guides/crashes.md")?.text ?? "";
  const rows = rowsIn(guide, "");

  expect(rows).toEqual(rowsIn(readFileSync("src/submissions/records.ts", "utf8"), " * "));
  expect(rows).toHaveLength(8);
  for (const state of ["sending", "settled", "in-doubt", "dropped"]) {
    expect(rows.join()).toContain(`\`${state}\``);
  }
});
