import { expect, test } from "vitest";
import { findEnglishBreaches } from "../../tools/plain-english.ts";
import { documents, guides, readme } from "../helpers/documents.ts";

/** Writes each line of prose as a comment of its own, so that the rules for comments read it. */
const asComments = (text: string): string => {
  let isCode = false;
  return text
    .split("\n")
    .map((line) => {
      if (line.startsWith("```")) isCode = !isCode;
      if (isCode || line.startsWith("```")) return "";
      const cells = line.startsWith("|") ? line.split(/(?<!\\)\|/) : [line];
      const words = cells.map((cell) =>
        cell
          .replace(/\]\([^)]*\)/g, "]")
          .replaceAll("**", "")
          .replaceAll("*/", "* /"),
      );
      return words.map((cell) => `/* ${cell.replace(/^\s*- /, "")} */`).join(" ");
    })
    .join("\n");
};

const breachesIn = (path: string, text: string): string[] =>
  findEnglishBreaches(path, asComments(text));

test.each(documents.filter(({ path }) => path !== "CHANGELOG.md"))(
  "the sentences of $path are short",
  ({ path, text }) => {
    expect(breachesIn(path, text)).toEqual([]);
  },
);

const words = (count: number): string => Array(count).fill("word").join(" ");

test.each([
  ["in a paragraph", words(26)],
  ["in a list", `- ${words(26)}`],
  ["in a table", `| a | ${words(26)} |`],
  ["behind a code block", `\`\`\`sh\n${words(30)}\n\`\`\`\n\n${words(26)}`],
])("a long sentence %s is found", (_, text) => {
  expect(breachesIn("a.md", text)).toHaveLength(1);
});

test("every guide begins with the reader's gain, in one sentence", () => {
  const starts = guides.map(({ path, text }) => [path, text.split("\n")[2] ?? ""] as const);
  const wrong = starts.filter(([, start]) => !/^After this (guide|page) .+\.$/.test(start));
  expect(wrong).toEqual([]);
});

test("the README stays short", () => {
  expect(readme.text.split("\n").length).toBeLessThanOrEqual(200);
});
