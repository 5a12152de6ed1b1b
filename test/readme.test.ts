import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import * as adgen from "adgen-sdk";
import * as mocks from "adgen-sdk/mocks";
import * as msw from "adgen-sdk/mocks/msw";
import * as node from "adgen-sdk/mocks/node";
import * as server from "adgen-sdk/mocks/server";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { fileOf, readBlocks, readme, writeBlocks } from "./helpers/readme-blocks.ts";

const blocks = readBlocks(readme);
const typescript = blocks.filter(({ info }) => info.startsWith("ts"));
const runnable = typescript.filter(({ info }) => info === "ts");
const suites = runnable.filter(({ code }) => code.includes('from "vitest"'));
const programs = runnable.filter((block) => !suites.includes(block));
const [serving, calling] = [true, false].map((isServing) =>
  programs.filter(({ code }) => code.includes("adgen-sdk/mocks/server") === isServing),
);
const folder = writeBlocks(typescript);

test("no code block is of a kind that is not checked here", () => {
  const kinds = new Set(blocks.map(({ info }) => info));
  expect([...kinds].sort()).toEqual(["sh", "text", "ts", "ts no-run"]);
  expect(typescript.length - runnable.length).toBe(3);
  expect(readme.match(/^```/gm)).toHaveLength(2 * blocks.length);
});

test("every TypeScript block type-checks", () => {
  const tsc = "node_modules/typescript7/bin/tsc";
  const { stdout } = spawnSync(process.execPath, [tsc, "--project", folder], { encoding: "utf8" });
  expect(stdout).toBe("");
}, 30_000);

describe("runs the program", () => {
  const service = mocks.createMockService({ accounts: { "your-key": {} } });
  const interception = setupServer(...msw.createHandlers(service));
  beforeAll(() => interception.listen({ onUnhandledFrame: "error" }));
  afterAll(() => interception.close());

  beforeEach(async () => {
    vi.stubEnv("ADGEN_BASE_URL", "https://api.example.com");
    vi.stubEnv("ADGEN_API_KEY", "your-key");
    vi.spyOn(console, "log").mockImplementation(() => {});
    service.reset();
    const client = adgen.createClient();
    const job = await client.jobs.submit({ action: "image-a-pro" });
    vi.stubGlobal("client", client);
    vi.stubGlobal("job", job);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  });

  test.each(calling ?? [])("at line $line", async (block) => {
    await import(fileOf(block));
  });
});

test.each(serving ?? [])("runs the program with a server at line $line", async (block) => {
  await import(fileOf(block));
});

/** The others have an MSW server for the whole file: see test/faces/readme-fixtures.test.ts. */
const plainSuites = suites.filter(({ code }) => !code.includes("mockFixtures"));

// Importing a suite inside `describe` declares its tests there.
describe.each(plainSuites)("runs the suite at line $line:", async (block) => {
  await import(fileOf(block));
});

test("the first 60 lines submit, poll, meet a 402 and mock it in a test", () => {
  const start = readme.split("\n").slice(0, 60).join("\n");
  const words = ["npm install", "submit(", "pollJob(", "PaymentRequiredError", "createHandlers("];
  expect(words.filter((word) => !start.includes(word))).toEqual([]);
});

/** The words that stand in `code` outside of code blocks. */
const said = new Set(
  readme
    .replace(/^```.*?^```$/gms, "")
    .match(/`[^`\n]+`/g)
    ?.flatMap((code) => code.match(/\w+/g) ?? []),
);

/** The fields of an interface, read from its source. */
const fieldsOf = (file: string, name: string): string[] => {
  const declaration = new RegExp(`interface ${name}\\b[^]*?\\{\\n([^]*?)\\n\\}`);
  const [, body = ""] = declaration.exec(readFileSync(file, "utf8")) ?? [];
  return Array.from(body.matchAll(/^ {2}(?:readonly )?(\w+)\??:/gm), ([, field = ""]) => field);
};

describe("names", () => {
  test.each([
    ["ClientOptions", "src/options/client-options.ts"],
    ["CallOptions", "src/options/call-options.ts"],
    ["PollOptions", "src/polling/poll-options.ts"],
    ["PollJobsOptions", "src/polling/poll-jobs.ts"],
    ["ErrorFields", "src/errors/error-fields.ts"],
    ["ClientHooks", "src/hooks.ts"],
    ["MockServiceOptions", "mocks/options/options.ts"],
    ["MockService", "mocks/service/mock-service.ts"],
    ["MockAccount", "mocks/service/account.ts"],
    ["MockJobs", "mocks/outcomes/steer-jobs.ts"],
    ["MockFaults", "mocks/faults/fault.ts"],
    ["FaultOptions", "mocks/faults/fault.ts"],
    ["OutcomeOptions", "mocks/outcomes/outcome.ts"],
    ["MockJournal", "mocks/journal/journal.ts"],
    ["JournalEntry", "mocks/journal/entry.ts"],
    ["JournalFilter", "mocks/journal/filter.ts"],
    ["MockFixtureOptions", "mocks/faces/node/fixture-options.ts"],
    ["MockSetupSettings", "mocks/faces/node/setup-mock-server.ts"],
    ["MockWorkerSettings", "mocks/faces/browser/setup-mock-worker.ts"],
    ["MockServerListenOptions", "mocks/faces/server/server-options.ts"],
    ["MockServer", "mocks/faces/server/start-mock-server.ts"],
  ])("every field of %s", (name, file) => {
    const fields = fieldsOf(file, name);
    expect(fields).not.toEqual([]);
    expect(fields.filter((field) => !said.has(field))).toEqual([]);
  });

  test("everything that can be imported", () => {
    const names = [adgen, mocks, msw, node, server].flatMap(Object.keys);
    expect(names.filter((name) => !readme.includes(name))).toEqual([]);
  });

  test("every error code and every assumption", () => {
    const codes =
      readFileSync("src/errors/error-fields.ts", "utf8").match(/(?<=^ {2}\| )"\w+"/gm) ?? [];
    expect(codes).toHaveLength(14);
    expect(codes.filter((code) => !readme.includes(`\`${code.slice(1, -1)}\``))).toEqual([]);
    const rows = Array.from(readme.matchAll(/^\| (A\d+) \|/gm), ([, id]) => id);
    expect(rows).toEqual(Array.from({ length: 19 }, (_, index) => `A${index + 1}`));
  });

  test("only files, headings and scripts that exist", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    const texts = [
      readme,
      ...globSync("examples/**/*.ts").map((file) => readFileSync(file, "utf8")),
    ];
    const run = Array.from(texts.join().matchAll(/npm run ([\w:]+)/g), ([, script = ""]) => script);
    expect(run.filter((script) => !(script in scripts))).toEqual([]);

    const links = Array.from(readme.matchAll(/\]\(([^)]+)\)/g), ([, link = ""]) => link);
    const slugs = Array.from(readme.matchAll(/^#+ (.+)$/gm), ([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    );
    const broken = links.filter((link) =>
      link.startsWith("#")
        ? !slugs.includes(link.slice(1))
        : !/^https:/.test(link) && !existsSync(link),
    );
    expect(broken).toEqual([]);
  });
});
