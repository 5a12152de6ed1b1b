import { availableParallelism } from "node:os";
import { playwright } from "@vitest/browser-playwright";
import { msw } from "msw/vite";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { chromiumLaunch, chromiumMissing, chromiumPath } from "./tools/chromium.ts";
import { entries, specifierOf } from "./tools/entries.ts";
import { redisMissing, redisPath } from "./tools/runtimes.ts";

if (Number(process.versions.node.split(".")[0]) < 22) {
  throw new Error("Run the tests through npm (npm test, npm exec vitest): that brings Node 24.");
}

const root = import.meta.dirname;

/**
 * Tests start hundreds of processes that load the same files. Node keeps what it compiled of them,
 * types taken out, for the next process.
 */
process.env["NODE_COMPILE_CACHE"] ??= `${root}/node_modules/.cache/node-compile-cache`;

/** Tests and examples import the package by its name, and get the sources: they need no build. */
const sources = Object.entries(entries).map(([entry, source]) => ({
  find: new RegExp(`^${specifierOf(entry)}$`),
  replacement: `${root}/${source}`,
}));

/** Limits of waiting that suffice on a busy machine. They cost no time where tests pass. */
const patience: TestProjectInlineConfiguration["test"] = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { interval: 5, timeout: 60_000 } },
};

/** Flags for tests that look at the heap. */
const execArgv = ["--expose-gc"];

/** Files with a process of their own: they change it for good, or wait for child processes. */
const separate = [
  "test/docs/recipes.test.ts",
  "test/examples.test.ts",
  "test/generated/clients.test.ts",
];

/** Files that measure time, or the heap of their own process. */
const measuring = ["test/client/leaks.test.ts", "test/mocks/cost.test.ts"];

/**
 * Files share processes: one for each file takes longer to start than most files take to run. The
 * set-up file makes a file fail that leaves something for the next one.
 */
const sharing: TestProjectInlineConfiguration["test"] = {
  ...patience,
  isolate: false,
  setupFiles: ["test/helpers/leave-no-trace.ts"],
};

const node: TestProjectInlineConfiguration = {
  resolve: { alias: sources },
  test: {
    name: "node",
    include: ["test/**/*.test.ts"],
    exclude: [
      ...["test/browser/**", "test/page/**", "test/packaging/**", "test/runtimes/**"],
      "test/bullmq/**",
      ...separate,
      ...measuring,
    ],
    ...sharing,
    execArgv,
  },
};

/** A project of its own, because vitest isolates projects as a whole. By its name it starts first. */
const alone: TestProjectInlineConfiguration = {
  resolve: { alias: sources },
  test: { ...patience, name: "alone", include: separate, execArgv },
};

/** It comes last, when the other checks of `npm test` have ended. */
const measured: TestProjectInlineConfiguration = {
  resolve: { alias: sources },
  test: {
    ...patience,
    name: "measured",
    include: measuring,
    execArgv,
    sequence: { groupOrder: 1 },
  },
};

/** The older MSW that the package accepts: the tests that must pass with both. */
const msw2: TestProjectInlineConfiguration = {
  resolve: { alias: [...sources, { find: /^msw(?=$|\/node$)/, replacement: "msw2" }] },
  test: { ...sharing, name: "msw2", include: ["test/adapters/any-msw/*.test.ts"], execArgv },
};

/** The tests that run in Chromium. */
const browserTests: TestProjectInlineConfiguration["test"] = {
  ...patience,
  name: "browser",
  include: ["test/browser/**/*.test.ts"],
};

const browser: TestProjectInlineConfiguration = {
  resolve: { alias: sources },
  plugins: [msw({ mode: "worker-only" })],
  test: {
    ...browserTests,
    // One page loads the modules once for all files.
    isolate: false,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        launchOptions: chromiumLaunch,
      }),
      instances: [{ browser: "chromium" }],
    },
  },
};

/** On a machine without Chromium, the same tests count as skipped. */
const browserWithoutChromium: TestProjectInlineConfiguration = {
  resolve: {
    alias: [
      ...sources,
      { find: "msw/browser", replacement: `${root}/tools/without-browser/msw-browser.ts` },
    ],
  },
  test: { ...browserTests, runner: `${root}/tools/without-browser/skip-tests.ts` },
};

/** The mock server's page, clicked through in Chromium by tests that run in Node. */
const page: TestProjectInlineConfiguration = {
  resolve: { alias: sources },
  test: {
    ...sharing,
    name: "page",
    include: ["test/page/**/*.test.ts"],
  },
};

/** The client in Node, Bun, Deno and Chromium, against servers that fail on real sockets. */
const runtimes: TestProjectInlineConfiguration = {
  resolve: { alias: sources },
  test: {
    ...patience,
    name: "runtimes",
    include: ["test/runtimes/**/*.test.ts"],
  },
};

/** Fleets of workers, on a Redis of their own; without one they are counted as skipped. */
const fleet: TestProjectInlineConfiguration = {
  resolve: { alias: sources },
  test: {
    ...patience,
    name: "fleet",
    include: ["test/bullmq/**/*.test.ts"],
    // Its clocks run beside those of Redis, so it comes when the other checks have ended.
    sequence: { groupOrder: 1 },
    ...(redisPath === undefined && { runner: `${root}/tools/without-browser/skip-tests.ts` }),
  },
};

/** Tests of the packed package. They need `npm run build` first. */
const packaging: TestProjectInlineConfiguration = {
  test: {
    ...sharing,
    name: "packaging",
    include: ["test/packaging/**/*.test.ts"],
    globalSetup: ["test/packaging/pack.ts"],
    // The compilers run side by side: more of them at once only take longer each.
    maxConcurrency: 2,
  },
};

/** Without Chromium the tests are skipped on a developer's machine, and an error in CI. */
if (chromiumPath === undefined) {
  if (process.env["CI"]) throw new Error(chromiumMissing);
  console.warn(`${chromiumMissing} They are skipped.`);
}
if (redisPath === undefined) {
  if (process.env["CI"]) throw new Error(redisMissing);
  console.warn(`${redisMissing} They are skipped.`);
}

export default defineConfig({
  test: {
    // Twice the workers of two processors: half of the time, tests wait for timers, browsers and
    // other processes. Vitest takes one project after the other, so there is always a next file.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    projects: [
      node,
      alone,
      measured,
      msw2,
      chromiumPath === undefined ? browserWithoutChromium : browser,
      page,
      runtimes,
      fleet,
      packaging,
    ],
    reporters: ["default", "./tools/count-reporter.ts"],
    coverage: { include: ["src/**", "mocks/**"], reporter: ["text", "html"] },
  },
});
