// The suites of the README and the guides. Their mocks take the place of the network, and refuse
// requests before they listen and once they are closed. So this file has a process of its own.
import { describe } from "vitest";
import { fileOf, readBlocks, writeBlocks } from "../helpers/doc-blocks.ts";
import { documents } from "../helpers/documents.ts";

const suites = documents
  .flatMap(readBlocks)
  .filter(({ info, code }) => info === "ts" && code.includes('from "vitest"'));

writeBlocks(suites);

// Importing a suite inside `describe` declares its tests there.
describe.each(suites)("runs the suite at $place:", async (block) => {
  await import(fileOf(block));
});
