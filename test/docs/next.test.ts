// The files for Next.js in the guide about proxies. `npm run test:next` builds the example beside them.
import { posix } from "node:path";
import { expect, test } from "vitest";
import { isNextFile, readBlocks, recipeNameOf } from "../helpers/doc-blocks.ts";
import { guides } from "../helpers/documents.ts";

const guide = guides.find(({ path }) => path === "docs/guides/browsers-and-proxies.md");
const blocks = readBlocks(guide ?? { path: "", text: "" }).filter(isNextFile);
const paths = blocks.map(recipeNameOf);
test("each import between them leads to one of them, as it stands", () => {
  const broken = blocks.flatMap((block) => {
    const folder = posix.dirname(recipeNameOf(block) ?? "");
    const imports = Array.from(block.code.matchAll(/from "(\.[^"]*)"/g), ([, path = ""]) => path);
    return imports.filter((path) => {
      const file = posix.join(folder, path);
      return !paths.includes(`${file}.ts`);
    });
  });
  expect(broken).toEqual([]);
});
