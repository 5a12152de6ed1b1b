// The suite of the guides whose fixtures have an MSW server for the whole file.
import { expect, test } from "vitest";
import { fileOf, readBlocks, writeBlocks } from "../helpers/doc-blocks.ts";
import { documents } from "../helpers/documents.ts";

const suites = documents
  .flatMap(readBlocks)
  .filter(({ info, code }) => info === "ts" && code.includes("mockFixtures"));

test("there is one of them", () => expect(suites).toHaveLength(1));

writeBlocks(suites);
// At the top of the file: vitest wants file-scoped fixtures there.
for (const block of suites) await import(fileOf(block));
