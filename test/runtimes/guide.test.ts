import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readBlocks } from "../helpers/doc-blocks.ts";
import { guides } from "../helpers/documents.ts";
import { bundleProgram, findOthers, folder, runProgram } from "./other-runtimes.ts";

const blocks = guides.flatMap(readBlocks).filter(({ info }) => info.startsWith("js "));

describe.each(findOthers())("the guide's programs for $name", (runtime) => {
  const own = blocks.filter(({ info }) => info.split(" ").includes(runtime.name.toLowerCase()));

  test("are a test and a program", () => {
    expect(own.map(({ code }) => code.includes("test("))).toEqual([true, false]);
  });

  test.each(own)("pass: $place", async ({ place, code }) => {
    const name = `${folder}/${runtime.name}-${place.replace(/\W+/g, "-")}`;
    writeFileSync(`${name}.source.mjs`, code);
    const file = await bundleProgram(`${name}.source.mjs`, `${name}.test.mjs`);
    const isTest = code.includes("test(");
    const printed = await runProgram(runtime.path, [
      ...(isTest ? runtime.test : runtime.run),
      file,
    ]);
    expect(printed).toMatch(isTest ? /1 pass(ed)?/ : /^$/);
  });
});
