import { expect, test } from "vitest";
import { maxBundleBytes } from "../../tools/bundle-size.ts";
import { sizeFigures, writeFigures } from "../../tools/size-figures.ts";
import { documents, readme } from "../helpers/documents.ts";

test("the README has at most 120 lines", () => {
  expect(readme.text.trimEnd().split("\n").length).toBeLessThanOrEqual(120);
});

test("the first 60 lines submit, poll, meet a 402 and mock it in a test", () => {
  const start = readme.text.split("\n").slice(0, 60).join("\n");
  const words = ["npm install", "submit(", "pollJob(", "PaymentRequiredError", "setupMockServer("];
  expect(words.filter((word) => !start.includes(word))).toEqual([]);
});

const paths = [...new Set(sizeFigures.map(({ path }) => path))];

test.each(paths)("%s names the limits of the bundle as they are", (path) => {
  const text = documents.find((document) => document.path === path)?.text ?? "";
  expect(text, "npm run size -- --write puts this right").toBe(writeFigures(path, text));
});

test("an old figure in the README is found, and a sentence that is gone, too", () => {
  const old = readme.text.replace(`${maxBundleBytes / 1000} kB`, "18.3 kB");
  expect(old).not.toBe(readme.text);
  expect(writeFigures("README.md", old)).toBe(readme.text);
  expect(() => writeFigures("README.md", "no size")).toThrow("README.md says nothing like");
});
