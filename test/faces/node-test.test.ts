import { mkdirSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { readBlocks } from "../helpers/doc-blocks.ts";
import { guides } from "../helpers/documents.ts";
import { runNode } from "../helpers/run-node.ts";

const fromSource = new URL("../helpers/from-source.ts", import.meta.url).href;
const flags = ["--import", fromSource, "--test-reporter=tap"];

test("setupMockServer fails the right test under Node's own runner", async () => {
  const suite = new URL("./children/node-test-suite.ts", import.meta.url);
  const { code, lines } = await runNode(suite, [], flags);
  expect(lines.filter((line) => /^(not )?ok /.test(line))).toEqual([
    "ok 1 - passes, and calls the service",
    "not ok 2 - fails for a call that nothing handles",
    "ok 3 - passes after it",
  ]);
  expect(lines.join("\n")).toMatch("GET https://collect.test/events");
  expect(code).toBe(1);
});

test("the guide's suite for Node's own runner passes", async () => {
  const { code = "" } =
    guides.flatMap(readBlocks).find(({ info }) => info === "js node-test") ?? {};
  const folder = ".tmp/node-test";
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/suite.mjs`, code);
  const { lines } = await runNode(pathToFileURL(`${folder}/suite.mjs`), [], flags);
  expect(lines).toContain("ok 1 - a job costs a credit");
});
