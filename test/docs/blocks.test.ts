import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as adgen from "adgen-sdk";
import * as mocks from "adgen-sdk/mocks";
import * as msw from "adgen-sdk/mocks/msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  type Block,
  fileOf,
  missingResults,
  projectsIn,
  readBlocks,
  writeBlocks,
} from "../helpers/doc-blocks.ts";
import { documents } from "../helpers/documents.ts";

const blocks = documents.flatMap(readBlocks);
const typescript = blocks.filter(({ info }) => info.startsWith("ts"));
const runnable = typescript.filter(({ info }) => info === "ts");
const suites = runnable.filter(({ code }) => code.includes('from "vitest"'));
const programs = runnable.filter((block) => !suites.includes(block));
const [serving, calling] = [true, false].map((isServing) =>
  programs.filter(({ code }) => /adgen-sdk\/mocks\/server|node:http/.test(code) === isServing),
);
const folder = writeBlocks(typescript);
// One of the blocks sends a picture from the folder of the program.
writeFileSync(join(folder, "bottle.png"), "a picture");

test("every kind of code block is checked by a test", () => {
  const kinds = new Set(blocks.map(({ info }) => info));
  // Other runners and runtimes run these blocks: see test/runtimes/processes.test.ts,
  // test/adapters/runners.test.ts and tools/first-hour.
  const elsewhere = ["bun", "bun deno", "commonjs", "deno", "happy-dom", "jest", "jest-commonjs"];
  elsewhere.push("node-test");
  // Recipes are run by their own runners: see test/docs/recipes.test.ts.
  const here = [
    ...["dockerfile", "json", "python", "sh", "text"],
    ...["ts", "ts no-run", "ts next", "ts recipe", "tsx recipe"],
  ];
  const known = [...elsewhere.map((name) => `js ${name}`), ...here];
  expect([...kinds].sort()).toEqual(known.sort());
  const fences = documents.flatMap(({ text }) => text.match(/^```/gm) ?? []);
  expect(fences).toHaveLength(2 * blocks.length);
});

test("each block of JSON is a seed file", () => {
  const seeds = blocks.filter(({ info }) => info === "json");
  expect(seeds).toHaveLength(1);
  for (const { code } of seeds) mocks.createMockService(JSON.parse(code));
});

test("every TypeScript block type-checks", () => {
  const tsc = "node_modules/typescript7/bin/tsc";
  for (const project of projectsIn(folder)) {
    const args = [tsc, "--project", project];
    const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect(stdout).toBe("");
  }
});

test.each([
  ["{ monthly: 1 }", [[{ monthly: 1 }]], true],
  ["{ monthly: 1 }", [[{ monthly: 2 }]], false],
  ["1: the twins share nothing", [[0], [1]], true],
  ["… has forgotten …", [["It has forgotten one."]], true],
  ["1", [], false],
])("a result of %j behind a program that prints %j: %j", (told, printed, isRight) => {
  const code = `console.log(value); // ${told}\n`;
  expect(missingResults(code, printed)).toEqual(isRight ? [] : [told]);
});

/** Runs a program, which must print the results in the comments of its lines. */
const run = async (block: Block): Promise<void> => {
  await import(fileOf(block));
  const { calls } = vi.mocked(console.log).mock;
  expect(missingResults(block.code, calls), JSON.stringify(calls)).toEqual([]);
};

describe("runs the program", () => {
  const service = mocks.createMockService({ accounts: { "your-key": {} } });
  const interception = setupServer(...msw.createHandlers(service));
  beforeAll(() => interception.listen({ onUnhandledFrame: "error" }));
  afterAll(() => interception.close());

  beforeEach(async () => {
    vi.stubEnv("ADGEN_BASE_URL", "https://api.example.com");
    vi.stubEnv("ADGEN_API_KEY", "your-key");
    vi.stubEnv("STATE_DIRECTORY", folder);
    vi.spyOn(console, "log").mockImplementation(() => {});
    service.reset();
    await adgen.createClient().jobs.submit({ action: "image-a-pro" });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  test.each(calling ?? [])("the program at $place prints what its comments say", run);
});

describe("runs the program with a server", () => {
  beforeEach(() => {
    vi.spyOn(console, "log").mockImplementation(() => {});
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test.each(serving ?? [])("the program with a server at $place prints what its comments say", run);
});
