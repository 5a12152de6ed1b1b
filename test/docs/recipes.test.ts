// The suites of the README and the guides, and the programs for other runners and languages. This
// file has its own process, because the mocks of the suites replace the network, and refuse requests
// before they listen and after they are closed.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { startMockServer } from "adgen-sdk/mocks/server";
import { describe, expect, test, vi } from "vitest";
import { entries, specifierOf } from "../../tools/entries.ts";
import { fileOf, isRecipe, readBlocks, writeBlocks, writeRecipe } from "../helpers/doc-blocks.ts";
import { documents } from "../helpers/documents.ts";
import { runCommand, writeNpx } from "../helpers/run-command.ts";

const ownSuites = documents
  .flatMap(readBlocks)
  .filter(({ info, code }) => info === "ts" && code.includes('from "vitest"'));

writeBlocks(ownSuites);

// Importing a suite inside `describe` declares its tests there.
describe.each(ownSuites)("runs the suite at $place:", async (block) => {
  await import(fileOf(block));
});

test("these tests know every guide with such a program", () => {
  const withPrograms = documents.filter((document) =>
    readBlocks(document).some(({ info }) => isRecipe(info)),
  );
  expect(withPrograms.map(({ path }) => path)).toEqual([
    "docs/guides/durable-engines.md",
    "docs/guides/fleet.md", // run in test/bullmq/submissions.test.ts
    "docs/guides/hooks.md", // run in test/examples.test.ts
    "docs/guides/pages.md", // run in test/docs/frameworks.test.ts and slots-in-chromium.test.ts
    "docs/guides/recipes.md", // run in test/docs/tool-recipes.test.ts
    "docs/testing/in-node.md",
    "docs/testing/playwright.md", // run in test/page/playwright-guide.test.ts
    "docs/testing/python.md",
    "docs/testing/server.md",
  ]);
});

// The guide's reader has installed the package; here its names lead to the sources. The longest
// name comes first, because an alias also matches names that begin with it.
const alias = Object.fromEntries(
  Object.entries(entries)
    .map(([entry, source]) => [specifierOf(entry), resolve(source)] as const)
    .toSorted(([one], [other]) => other.length - one.length),
);
const ownConfig = `defineConfig({ resolve: { alias: ${JSON.stringify(alias)} }, test: { testTimeout: 30_000,`;

/** Runs the suites in a folder, in a vitest of its own, and counts their tests. */
const runSuites = async (folder: string, ...args: readonly string[]) => {
  const vitest = [process.execPath, resolve("node_modules/vitest/vitest.mjs"), "run"];
  const flags = ["--reporter=json", "--outputFile=report.json"];
  const { output } = await runCommand(folder, [...vitest, ...flags, ...args]);
  const report = JSON.parse(readFileSync(join(folder, "report.json"), "utf8"));
  const { numPassedTests: passed, numTotalTests: total, numPassedTestSuites: suites } = report;
  return { passed, total, suites, output };
};

test("the suite of docs/testing/in-node.md passes in happy-dom, with a click that pays for one job", async () => {
  const folder = writeRecipe("docs/testing/in-node.md");
  const config = `import { defineConfig } from "vitest/config";\nexport default ${ownConfig} } });\n`;
  writeFileSync(join(folder, "vitest.config.ts"), config);
  const { passed, total, output } = await runSuites(folder);
  expect({ passed, total }, output).toEqual({ passed: 1, total: 1 });
});

const workers = 4;

test("the suite of docs/testing/server.md passes in 4 workers that share the server", async () => {
  const folder = writeRecipe("docs/testing/server.md", (code) =>
    code.replace("defineConfig({ test: {", ownConfig),
  );
  for (let worker = 1; worker <= workers; worker += 1) {
    copyFileSync(join(folder, "ads.test.ts"), join(folder, `ads-${worker}.test.ts`));
  }
  const flags = ["--pool=threads", `--maxWorkers=${workers}`, "ads-"];
  const { passed, total, suites, output } = await runSuites(folder, ...flags);
  expect({ passed, total }, output).toEqual({ passed: workers, total: workers });
  expect(suites).toBeGreaterThanOrEqual(workers);
});

const withoutPython = spawnSync("python3", ["--version"]).status !== 0;
if (withoutPython) {
  console.warn("The guide's program in Python is skipped: it needs python3 on the PATH.");
}

const testInPython = test.skipIf(withoutPython); // The suite needs python3 on the PATH.
testInPython(
  "the suite of docs/testing/python.md passes with the command of this repository",
  async () => {
    const folder = writeRecipe("docs/testing/python.md");
    const run = ["python3", "-W", "error", "-m", "unittest", "test_ads"];
    const end = await runCommand(folder, run, writeNpx(join(folder, "bin")));
    expect(end).toEqual({ status: 0, output: expect.stringMatching(/Ran 3 tests .*\n\nOK\n$/s) });
  },
);

// The cron job of this guide runs here. The guide's other programs need an engine.
const cronFolder = writeRecipe("docs/guides/durable-engines.md");
const fromSource = pathToFileURL(resolve("test/helpers/from-source.ts")).href;
const commandOf = (...args: readonly string[]) => [
  process.execPath,
  `--import=${fromSource}`,
  ...args,
];

/** Opens the cron job's folder, and a service whose jobs end when told. */
const openScene = async (name: string) => {
  const state = join(cronFolder, name);
  mkdirSync(state);
  const timeline = { queuedMs: 0, processingMs: Number.POSITIVE_INFINITY };
  const mock = await startMockServer({ accounts: { key: {} }, timeline });
  const env = { ADGEN_BASE_URL: mock.url, ADGEN_API_KEY: "key", STATE_DIRECTORY: state };
  const run = (...args: readonly string[]) => runCommand(cronFolder, commandOf(...args), env);
  expect(await run("cron.ts"), "the first run makes the table").toEqual({ status: 0, output: "" });
  const database = new DatabaseSync(join(state, "ads.db"));
  return {
    database,
    service: mock.service,
    run,
    row() {
      const rows = database.prepare("SELECT * FROM ads").all();
      expect(rows).toHaveLength(1);
      return rows[0];
    },
    charges: () => mock.service.account("key").charges,
    /** Runs the cron job, which adds a row, and kills the run once `isTime` returns true. */
    async killOnce(isTime: () => boolean) {
      const [command = "", ...args] = commandOf("cron.ts", "Lemonade");
      const child = spawn(command, args, { cwd: cronFolder, env: { ...process.env, ...env } });
      await vi.waitUntil(isTime, { timeout: 150_000, interval: 5 });
      child.kill("SIGKILL");
      await once(child, "close");
    },
    async [Symbol.asyncDispose]() {
      database.close();
      await mock.close();
    },
  };
};

test("an engine goes on in another process after a kill between submission and result", async () => {
  await using scene = await openScene("between");
  const { service, database } = scene;
  service.faults.play({ kind: "latency", ms: 60_000 }, { operation: "jobs.get", times: 1 });
  await scene.killOnce(() => service.journal.entries.some(({ method }) => method === "GET"));
  const [charge] = scene.charges();
  expect(scene.row()).toMatchObject({ ticket: expect.stringContaining('"version":1'), job: null });

  service.jobs.complete(charge?.jobId ?? "");
  expect(await scene.run("cron.ts")).toEqual({ status: 0, output: "" });
  const job = JSON.parse(String(scene.row()?.["job"]));
  expect(job).toMatchObject({ job_id: charge?.jobId, status: "completed" });

  // Imitate a kill before the ticket was kept: the table lacks it, but the store knows the job.
  database.exec("UPDATE ads SET ticket = NULL, job = NULL");
  await scene.run("cron.ts");
  expect(JSON.parse(String(scene.row()?.["job"]))).toEqual(job);
  expect(scene.charges()).toEqual([charge]);
});

test("an engine waits for a decision after a kill inside the submission, and pays once", async () => {
  await using scene = await openScene("inside");
  const { service, database } = scene;
  service.faults.play({ kind: "latency", ms: 60_000 }, { operation: "jobs.submit", times: 1 });
  await scene.killOnce(() => scene.charges().length > 0);
  const [charge] = scene.charges();
  const jobId = charge?.jobId ?? "";

  expect((await scene.run("cron.ts")).output).toContain('the submission "ad-1"');
  expect(scene.row()).toMatchObject({
    problem: expect.stringContaining("may have been carried out"),
  });
  const command = [resolve("src/submissions/cli.ts"), join(cronFolder, "inside", "submissions")];
  expect((await scene.run(...command)).output).toContain(`--adopt ad-1 ${jobId}`);
  expect((await scene.run(...command, "--adopt", "ad-1", jobId)).output).toContain(jobId);

  service.jobs.complete(jobId);
  database.exec("UPDATE ads SET problem = NULL");
  expect(await scene.run("cron.ts")).toEqual({ status: 0, output: "" });
  expect(JSON.parse(String(scene.row()?.["job"]))).toMatchObject({ status: "completed" });
  expect(scene.charges()).toEqual([charge]);
});
