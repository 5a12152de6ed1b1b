/** Clients that other tools generate from our documents compile strictly, and run. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { createManualClock } from "../../mocks/index.ts";
import { startMockServer } from "../../mocks/server/index.ts";
import { generateOpenApi } from "../../tools/openapi/document.ts";

const exec = promisify(execFile);

/** Runs a command of a package. */
const run = (...command: readonly string[]) => exec(process.execPath, command);

/**
 * Folder for the clients. It lies in the repository, so that packages are found; git ignores it.
 */
const folder = resolve(".tmp/generated");
const document = generateOpenApi("1.2.3");

const project = {
  compilerOptions: {
    module: "nodenext",
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable"],
    types: ["node"],
    strict: true,
    // The code of hey-api doesn't compile with `exactOptionalPropertyTypes`.
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    rootDir: ".",
    outDir: "out",
  },
  include: ["*.ts", "hey-api/**/*.ts"],
};

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/package.json`, '{ "type": "module" }');
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(project));
  writeFileSync(`${folder}/service.json`, JSON.stringify(document));
  writeFileSync(
    `${folder}/openapi-ts.config.mjs`,
    `export default ${JSON.stringify({
      input: `${folder}/service.json`,
      output: { path: `${folder}/hey-api`, tsConfigPath: `${folder}/tsconfig.json` },
      logs: { level: "silent", file: false },
    })}`,
  );
  const ofTypes = ["node_modules/openapi-typescript/bin/cli.js", `${folder}/service.json`];
  const ofHeyApi = ["node_modules/@hey-api/openapi-ts/bin/run.js", "--file"];
  await Promise.all([
    run(...ofTypes, "--output", `${folder}/service.ts`),
    run(...ofHeyApi, `${folder}/openapi-ts.config.mjs`),
  ]);
  cpSync("test/generated/programs", folder, { recursive: true });
});

test("generated clients and the programs that use them compile", async () => {
  const compile = run("node_modules/typescript7/bin/tsc", "--project", folder);
  const { stdout } = await compile.catch((error) => error);
  expect(stdout).toBe("");
});

test.each([
  ["openapi-fetch", "every call", 10],
  ["hey-api", "jobs, and a brand,", 4],
] as const)(
  "the program with the client of %s makes %s against the mock",
  async (program, _, count) => {
    const server = await startMockServer({
      clock: createManualClock(),
      timeline: { queuedMs: 10_000, processingMs: 10_000 },
    });
    onTestFinished(() => server.close());
    const { stdout, stderr } = await run(`${folder}/out/${program}.js`, server.url);
    expect([stdout, stderr]).toEqual(["", ""]);
    const called = new Set(server.service.journal.entries.map(({ operation }) => operation));
    expect(called.size).toBe(count);
  },
);
