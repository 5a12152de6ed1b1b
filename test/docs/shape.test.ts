import { expect, test } from "vitest";
import { sizeFigures, writeFigures } from "../../tools/size-figures.ts";
import { documents } from "../helpers/documents.ts";

const paths = [...new Set(sizeFigures.map(({ path }) => path))];

test.each(paths)("%s names the limits of the bundle as they are", (path) => {
  const text = documents.find((document) => document.path === path)?.text ?? "";
  expect(text, "npm run size -- --write puts this right").toBe(writeFigures(path, text));
});
