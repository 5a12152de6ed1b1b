import { expect, test } from "vitest";
import { maxBundleBytes } from "../../tools/bundle-size.ts";
import { sizeFigures, writeFigures } from "../../tools/size-figures.ts";
import { documents, readme } from "../helpers/documents.ts";

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
