// The app for Next.js in the guide about proxies. `npm run test:next` builds it; here its words and
// imports are compared with its files.
import { posix } from "node:path";
import { expect, test } from "vitest";
import { isNextFile, readBlocks, recipeNameOf } from "../helpers/doc-blocks.ts";
import { guides } from "../helpers/documents.ts";

const guide = guides.find(({ path }) => path === "docs/guides/browsers-and-proxies.md");
const blocks = readBlocks(guide ?? { path: "", text: "" }).filter(isNextFile);
const paths = blocks.map(recipeNameOf);
const [, section = ""] = /\n### Next\.js\n(.*?)\n### /s.exec(guide?.text ?? "") ?? [];

test("each file names its path, and the table above them lists the same", () => {
  const rows = Array.from(section.matchAll(/^\| `([^`]+)` \|/gm), ([, path]) => path);
  expect(rows).toContain("app/layout.tsx");
  expect(rows).toEqual(paths);
});

test("the first sentence counts them", () => {
  const counts = ["Five", "Six", "Seven", "Eight", "Nine"];
  expect(section).toContain(`\n${counts[blocks.length - 5]} files make an app.`);
});

test("each import between them leads to one of them, as it stands", () => {
  const broken = blocks.flatMap((block) => {
    const folder = posix.dirname(recipeNameOf(block) ?? "");
    const imports = Array.from(block.code.matchAll(/from "(\.[^"]*)"/g), ([, path = ""]) => path);
    return imports.filter((path) => {
      const file = posix.join(folder, path);
      return !paths.includes(`${file}.ts`) && !paths.includes(`${file}.tsx`);
    });
  });
  expect(broken).toEqual([]);
});
