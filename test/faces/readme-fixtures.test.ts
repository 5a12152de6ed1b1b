// The suite of the README whose fixtures have an MSW server for the whole file.
import { expect, test } from "vitest";
import { fileOf, readBlocks, readme, writeBlocks } from "../helpers/readme-blocks.ts";

const suites = readBlocks(readme).filter(
  ({ info, code }) => info === "ts" && code.includes("mockFixtures"),
);

test("there is one of them", () => expect(suites).toHaveLength(1));

writeBlocks(suites);
// At the top of the file: vitest wants file-scoped fixtures there.
for (const block of suites) await import(fileOf(block));
