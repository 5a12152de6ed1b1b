import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findEnglishBreaches, plainEnglishFiles } from "../tools/plain-english.ts";

const words = (count: number): string => Array(count).fill("word").join(" ");

test("comments, test titles and docs are plain English", () => {
  const paths = plainEnglishFiles
    .flatMap((pattern) => globSync(pattern))
    .filter((path) => !path.includes("node_modules"));
  for (const path of ["src/index.ts", "mocks/index.ts", "README.md", "docs/architecture.md"]) {
    expect(paths).toContain(path);
  }
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

describe("reports a planted test title", () => {
  test.each<[place: string, text: string, start: string]>([
    ["of a test", 'test("what it does", () => {});', "what"],
    ["of a block", 'describe("Nobody pays", () => {});', "Nobody"],
    ["of a table", 'it.each([1])("how %s ends", () => {});', "how"],
    ["of a test that may be skipped", 'test.skipIf(true)("Whoever asks", () => {});', "Whoever"],
    ["in a template", "test(`what it does`, () => {});", "what"],
  ])("%s", (_, text, start) => {
    expect(findEnglishBreaches("a.test.ts", `\n${text}`)).toEqual([
      `a.test.ts:2 begins with "${start}"`,
    ]);
  });

  test("of a type test", () => {
    const text = 'test("what it is", () => {});';
    expect(findEnglishBreaches("a.test-d.ts", text)).toEqual(['a.test-d.ts:1 begins with "what"']);
  });
});

describe("reports a long sentence in Markdown", () => {
  test.each<[place: string, text: string, line: number]>([
    ["in a paragraph", `# Title\n\n${words(26)}.`, 3],
    ["over two lines", `Short.\n\n${words(20)}\n${words(6)}.`, 3],
    ["after a short one", `Short. ${words(26)}.`, 1],
    ["in an item of a list", `- short\n- ${words(26)}`, 2],
    ["in an item that goes on", `1. ${words(20)}\n   ${words(6)}`, 1],
    ["in a quotation", `> ${words(26)}`, 1],
    ["in a cell", `| a | b |\n| - | - |\n| short | ${words(26)} |`, 3],
    ["behind a block of code", `\`\`\`ts\n${words(40)}\n\`\`\`\n\n${words(26)}`, 5],
    ["in the words of a link", `[${words(26)}](https://ads.test)`, 1],
    ["in a heading", `## ${words(26)}\n\nShort.`, 1],
  ])("%s", (_, text, line) => {
    expect(findEnglishBreaches("a.md", text)).toEqual([
      expect.stringMatching(new RegExp(`^a\\.md:${line} has a sentence of 26 words: `)),
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
    ["titles of other functions", 'log("What a day"); test.each(["What"]);'],
  ])("%s", (_, text) => {
    expect(findEnglishBreaches("a.test.ts", text)).toEqual([]);
  });

  test("strings that look like titles in files that are no tests", () => {
    expect(findEnglishBreaches("a.ts", 'test("What")')).toEqual([]);
  });

  test.each<[what: string, text: string]>([
    ["25 words in each sentence", `${words(25)}. ${words(25)}.`],
    ["a block of code of any length", `\`\`\`\n${words(40)}\n\`\`\``],
    ["an indented block of code", `- short\n\n  \`\`\`ts\n  ${words(40)}\n  \`\`\``],
    ["one word of code, however long", `${words(24)} \`${words(9)}\``],
    ["one word of code with a bar in a table", `| ${words(24)} \`a | ${words(9)}\` | b |`],
    ["a long address", `${words(24)} [word](https://ads.test/${words(9)})`],
    ["cells side by side", `| ${words(20)} | ${words(20)} |`],
    ["items below each other", `- ${words(20)}\n- ${words(20)}`],
    ["a heading above a paragraph", `# ${words(20)}\n${words(20)}`],
    ["a comment", `<!-- ${words(40)} -->`],
    ["a paragraph that begins with What", "What a reader needs."],
  ])("%s in Markdown", (_, text) => {
    expect(findEnglishBreaches("a.md", text)).toEqual([]);
  });
});
