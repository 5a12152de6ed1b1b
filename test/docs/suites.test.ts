// The suites of the README and the guides. Their mocks take the place of the network, and refuse
// requests before they listen: the programs of test/docs/blocks.test.ts could not run beside them.
import { Agent } from "node:http";
import { afterAll, describe } from "vitest";
import { fileOf, readBlocks, writeBlocks } from "../helpers/doc-blocks.ts";
import { documents } from "../helpers/documents.ts";

/** The others have an MSW server for the whole file: see test/docs/fixtures.test.ts. */
const suites = documents
  .flatMap(readBlocks)
  .filter(({ info, code }) => info === "ts" && code.includes('from "vitest"'))
  .filter(({ code }) => !code.includes("mockFixtures"));

writeBlocks(suites);

// Their closed mocks refuse requests until the process ends, and other files share this one.
const ownFetch = globalThis.fetch;
const addRequest = Object.getOwnPropertyDescriptor(Agent.prototype, "addRequest") ?? {};
afterAll(() => {
  globalThis.fetch = ownFetch;
  Object.defineProperty(Agent.prototype, "addRequest", addRequest);
});

// Importing a suite inside `describe` declares its tests there.
describe.each(suites)("runs the suite at $place:", async (block) => {
  await import(fileOf(block));
});
