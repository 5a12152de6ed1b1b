import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { readBlocks } from "../helpers/doc-blocks.ts";
import { guides } from "../helpers/documents.ts";
import { runNode } from "../helpers/run-node.ts";

const folder = resolve(".tmp/runners");
mkdirSync(folder, { recursive: true });

describe("under Node's own runner", () => {
  const fromSource = new URL("../helpers/from-source.ts", import.meta.url).href;
  const flags = ["--import", fromSource, "--test-reporter=tap"];

  test("in node:test, setupMockServer fails the test that made an unhandled request", async () => {
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

  test("in node:test, two files of one process that mock one base URL both pass", async () => {
    const [first, second] = ["first", "second"].map(
      (name) => new URL(`./children/${name}-of-two-suites.ts`, import.meta.url),
    ) as [URL, URL];
    const inOneProcess = [...flags, "--test", "--test-isolation=none", fileURLToPath(first)];
    const { code, lines } = await runNode(second, [], inOneProcess);
    expect(lines.filter((line) => /^(not )?ok /.test(line))).toEqual([
      "ok 1 - the first file's mock answers, and sees its requests",
      "ok 2 - the second file's mock answers, and sees its requests",
    ]);
    expect(code).toBe(0);
  });

  test("in node:test, the guide's suite passes", async () => {
    const block = guides.flatMap(readBlocks).find(({ info }) => info === "js node-test");
    writeFileSync(`${folder}/suite.mjs`, block?.code ?? "");
    const { lines } = await runNode(pathToFileURL(`${folder}/suite.mjs`), [], flags);
    expect(lines).toContain("ok 1 - a job costs a credit");
  });
});
