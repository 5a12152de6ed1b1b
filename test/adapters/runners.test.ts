import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
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

  test("in node:test, the guide's suite passes, also in two files of one process", async () => {
    const block = guides.flatMap(readBlocks).find(({ info }) => info === "js node-test");
    const [first, second] = ["first", "second"].map((name) => `${folder}/${name}.mjs`);
    for (const file of [first, second]) writeFileSync(String(file), block?.code ?? "");
    const inOneProcess = [...flags, "--test", "--test-isolation=none", String(first)];
    const { code, lines } = await runNode(pathToFileURL(String(second)), [], inOneProcess);
    expect(lines.filter((line) => /^(not )?ok /.test(line))).toEqual([
      "ok 1 - a job costs a credit",
      "ok 2 - a job costs a credit",
    ]);
    expect(code).toBe(0);
  });
});
