import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sizeFigures, writeFigures } from "../../tools/size-figures.ts";
import { documents } from "../helpers/documents.ts";

const paths = [...new Set(sizeFigures.map(({ path }) => path))];

test.each(paths)("%s names the limits of the bundle as they are", (path) => {
  const text = documents.find((document) => document.path === path)?.text ?? "";
  expect(text, "npm run size -- --write puts this right").toBe(writeFigures(path, text));
});

test("the README shows the mock's page as this version has it, in a small picture", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const path = `docs/mock-page-${version.split(".").slice(0, 2).join(".")}.png`;
  const readme = documents.find((document) => document.path === "README.md")?.text;
  expect(readme, "npm run page:picture takes a new one").toContain(`](${path})`);
  const picture = readFileSync(path);
  expect(picture.toString("latin1", 1, 4)).toBe("PNG");
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1280, 800]);
  expect(picture.length).toBeLessThan(150_000);
});
