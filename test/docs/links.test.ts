import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { documents, guides, readme } from "../helpers/documents.ts";
import { findBrokenLinks, findReachable } from "../helpers/links.ts";

test("every relative link points to a file, and to a heading that is there", () => {
  expect(findBrokenLinks(documents)).toEqual([]);
});

test.each([
  ["a file that is not there", "[a](docs/no-such-guide.md)"],
  ["a heading that is not there", "[a](docs/guides/client.md#no-such-heading)"],
  ["a heading of its own that is not there", "# Title\n\n[a](#titel)"],
  ["a heading of a file without headings", "[a](LICENSE#heading)"],
])("a planted link to %s is found", (_, text) => {
  expect(findBrokenLinks([...guides, { path: "PLANTED.md", text }])).toHaveLength(1);
});

test("a reader comes from the README to every guide", () => {
  const reached = findReachable(documents, readme);
  expect(documents.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
});

test("the README links to every guide for users itself", () => {
  const reached = findReachable([readme], readme);
  expect([...reached]).toEqual(["README.md"]);
  const forUsers = guides.filter(({ path }) => /^docs\/(guides|testing|service)\//.test(path));
  expect(forUsers.filter(({ path }) => !readme.text.includes(`(${path})`))).toEqual([]);
});

test("the site holds every guide once", () => {
  const { projectDocuments } = JSON.parse(readFileSync("typedoc.json", "utf8"));
  const beside = documents.map(({ path }) => path).filter((path) => path !== "README.md");
  expect([...projectDocuments].sort()).toEqual(beside.sort());
});

describe("names only", () => {
  const history = "CHANGELOG.md";
  const current = documents.filter(({ path }) => path !== history);

  test.each(current)("files that exist, in $path", ({ text }) => {
    const named =
      text.match(
        /(?<![\w./-])(?:src|mocks|test|tools|docs|bench|examples|\.ci)\/[\w./*-]*[\w*]/g,
      ) ?? [];
    const missing = named.filter(
      (path) => !existsSync(path) && !existsSync(`${path}.ts`) && globSync(path).length === 0,
    );
    expect(missing).toEqual([]);
  });

  test("scripts that exist", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    const examples = globSync("examples/**/*.ts").map((file) => readFileSync(file, "utf8"));
    const texts = [...documents.map(({ text }) => text), ...examples];
    const run = Array.from(
      texts.join().matchAll(/npm run (\w[\w:-]*)/g),
      ([, script = ""]) => script,
    );
    expect(run).toContain("demo");
    expect(run.filter((script) => !(script in scripts))).toEqual([]);
  });
});
