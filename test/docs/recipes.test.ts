// The programs of the guides for other runners and languages, each run by its own runner.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { entries, specifierOf } from "../../tools/entries.ts";
import { isRecipe, readBlocks, writeRecipe } from "../helpers/doc-blocks.ts";
import { documents } from "../helpers/documents.ts";
import { runCommand } from "../helpers/run-command.ts";

test("these tests know every guide with such a program", () => {
  const withPrograms = documents.filter((document) =>
    readBlocks(document).some(({ info }) => isRecipe(info)),
  );
  expect(withPrograms.map(({ path }) => path)).toEqual([
    "docs/guides/durable-engines.md", // run in test/docs/durable-engines.test.ts
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

describe("docs/testing/in-node.md", () => {
  test("the suite of docs/testing/in-node.md passes in happy-dom, with a click that pays for one job", async () => {
    const folder = writeRecipe("docs/testing/in-node.md");
    const config = `import { defineConfig } from "vitest/config";\nexport default ${ownConfig} } });\n`;
    writeFileSync(join(folder, "vitest.config.ts"), config);
    const { passed, total, output } = await runSuites(folder);
    expect({ passed, total }, output).toEqual({ passed: 1, total: 1 });
  });
});

describe("docs/testing/server.md", () => {
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
});

describe("docs/testing/python.md", () => {
  const withoutPython = spawnSync("python3", ["--version"]).status !== 0;
  if (withoutPython) {
    console.warn("The guide's program in Python is skipped: it needs python3 on the PATH.");
  }

  const testInPython = test.skipIf(withoutPython); // The suite needs python3 on the PATH.
  testInPython(
    "the suite of docs/testing/python.md passes with the command of this repository",
    async () => {
      const folder = writeRecipe("docs/testing/python.md");
      // The guide's reader has npx from npm; here a script in its place runs the sources.
      const bin = join(folder, "bin");
      mkdirSync(bin);
      const command = `#!/bin/sh\n[ "$1 $2 $3" = "-p adgen-sdk adgen-mock" ] || exit 1\nshift 3\nexec "${process.execPath}" "${resolve("mocks/server/cli.ts")}" "$@"\n`;
      writeFileSync(join(bin, "npx"), command, { mode: 0o755 });
      const path = `${bin}${delimiter}${process.env["PATH"]}`;
      const run = ["python3", "-W", "error", "-m", "unittest", "test_ads"];
      const end = await runCommand(folder, run, { PATH: path });
      expect(end).toEqual({ status: 0, output: expect.stringMatching(/Ran 3 tests .*\n\nOK\n$/s) });
    },
  );
});
