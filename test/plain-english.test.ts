import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findEnglishBreaches } from "../tools/plain-english.ts";

const words = (count: number): string => Array(count).fill("word").join(" ");

test("the comments of src are plain English", () => {
  const paths = globSync("src/**/*.ts");
  expect(paths).toContain("src/index.ts");
  const breaches = paths.flatMap((path) => findEnglishBreaches(path, readFileSync(path, "utf8")));
  expect(breaches).toEqual([]);
});

describe("reports a planted comment", () => {
  test.each(["What", "Whoever", "Nobody", "How", "Where", "Whether"])(
    "that begins with %s",
    (word) => {
      const text = `\n/** ${word} it is. */\nexport const x = 1;`;
      expect(findEnglishBreaches("a.ts", text)).toEqual([`a.ts:2 begins with "${word}"`]);
    },
  );

  test.each<[where: string, text: string, line: number]>([
    ["at the top of the file", `/** ${words(26)}. */`, 1],
    ["over several lines", `/**\n * ${words(20)}\n * ${words(6)}.\n */\nexport const x = 1;`, 1],
    ["after a short sentence", `/** Short. ${words(26)}. */\nexport const x = 1;`, 1],
    ["in a tag", `/**\n * Short.\n *\n * @returns ${words(26)}.\n */\nconst f = () => 1;`, 1],
    ["of a parameter", `/**\n * Short.\n *\n * @param a - ${words(26)}.\n */\nconst f = 1;`, 1],
    ["of a property", `interface I {\n  /** ${words(26)}. */\n  a: 1;\n}`, 2],
    ["inside a function", `const f = () => {\n  // ${words(26)}\n};`, 2],
    ["in lines that follow each other", `const x = 1;\n// ${words(20)}\n// ${words(6)}`, 2],
    ["behind code", `const x = 1; // ${words(26)}`, 1],
    ["in a block", `/* ${words(26)} */\nconst x = 1;`, 1],
    ["in a list", `/**\n * Short:\n * - ${words(26)};\n * - short.\n */\nconst x = 1;`, 1],
  ])("with a sentence of more than 25 words %s", (_, text, line) => {
    expect(findEnglishBreaches("a.ts", text)).toEqual([
      expect.stringMatching(new RegExp(`^a\\.ts:${line} has a sentence of 2[67] words: `)),
    ]);
  });
});

describe("allows", () => {
  test.each<[what: string, text: string]>([
    ["25 words in each sentence", `/** ${words(25)}. ${words(25)}. */`],
    ["a reason that begins with What", "const f = () => 1; // What was read so far has to do."],
    ["one word of code, however long", `/** ${words(24)} \`${words(9)}\`. */`],
    ["a list of codes", `/**\n * Short.\n *\n * @throws ${"`code`, ".repeat(30)}.\n */`],
    ["an example of any length", `/**\n * Short.\n *\n * @example\n * ${words(40)}\n */`],
    ["paragraphs", `/**\n * ${words(20)}\n *\n * ${words(20)}\n */`],
    ["text that is no comment", `const x = "// ${words(40)}";\nconst y = \`/* ${words(40)} */\`;`],
    ["Whatever", "/** Whatever it is. */"],
  ])("%s", (_, text) => {
    expect(findEnglishBreaches("a.ts", text)).toEqual([]);
  });
});
