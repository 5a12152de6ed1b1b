import { beforeAll, describe, expect, test } from "vitest";
import { listen } from "../helpers/http-server.ts";
import { bundleProgram, findOthers, folder, runProgram } from "./other-runtimes.ts";

interface Said {
  readonly before: string;
  readonly listening: string;
  readonly after: string;
}

let program: string;
beforeAll(async () => {
  const entry = `${import.meta.dirname}/listen-in-process.ts`;
  program = await bundleProgram(entry, `${folder}/listen.mjs`);
});

/** Runs the program with a server where the real service would be; no request may reach it. */
const run = async (file: string, flags: readonly string[]): Promise<Said> => {
  const real = await listen((response) => response.end("{}"));
  const printed = await runProgram(file, [...flags, program, real.url]);
  expect(real.received).toEqual([]);
  return JSON.parse(/^\{.*\}$/m.exec(printed)?.[0] ?? "");
};

const notYet = expect.stringContaining("it does not listen yet");

test("Node pays the mock, after listen and not before", async () => {
  const said = await run(process.execPath, []);
  expect(said).toEqual({ before: notYet, listening: "listens", after: "202" });
});

describe.each(findOthers())("where MSW intercepts nothing, as in $name,", (runtime) => {
  test("listen says so, and nothing reaches the real service", async () => {
    const { before, listening, after } = await run(runtime.path, runtime.run);
    expect(before).toEqual(notYet);
    expect(listening).toMatch("The mock does not listen, because MSW cannot intercept");
    expect(listening).toMatch(runtime.name);
    expect(listening).toMatch("docs/testing/bun-and-deno.md");
    expect(after).toMatch(/cannot intercept|it does not listen yet/);
  });
});
