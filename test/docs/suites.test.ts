// Runs the suites of the README and the guides. This file has its own process, because their mocks
// replace the network, and refuse requests before they listen and after they are closed.
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
