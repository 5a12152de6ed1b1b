// The fixtures for Playwright, in Playwright's own runner: its guide, and what the guide does not show.
import { copyFileSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { JSONReport, JSONReportSpec, JSONReportSuite } from "@playwright/test/reporter";
import { expect, test } from "vitest";
import { chromiumLaunch } from "../../tools/chromium.ts";
import { listen } from "../helpers/http-server.ts";
import { writeRecipe } from "../helpers/recipes.ts";
import { runCommand } from "../helpers/run-command.ts";
import { withoutBrowser } from "./open-page.ts";

/** Gives a port that was free a moment ago. */
const findPort = async (): Promise<string> => {
  const { url, close } = await listen();
  close();
  return new URL(url).port;
};

const listSpecs = ({ specs, suites = [] }: JSONReportSuite): readonly JSONReportSpec[] => [
  ...specs,
  ...suites.flatMap(listSpecs),
];

test.skipIf(withoutBrowser)(
  "the fixtures pass, and put the requests of a failed test into its report alone",
  async () => {
    const [appPort, mockPort] = [await findPort(), await findPort()];
    const folder = writeRecipe("docs/testing/playwright.md", (code) =>
      // What the guide's reader has, and this machine has elsewhere.
      code
        .replaceAll("npx -p adgen-sdk adgen-mock", `${process.execPath} ${resolve("mocks/cli.ts")}`)
        .replaceAll("npm start", `${process.execPath} ${resolve("test/page/children/ads-app.ts")}`)
        .replaceAll("4471", mockPort)
        .replaceAll("localhost:3000", `127.0.0.1:${appPort}`)
        // Other tests run beside these.
        .replace("use: {", "timeout: 60_000, expect: { timeout: 30_000 }, use: {")
        .replace("use: {", `use: { launchOptions: ${JSON.stringify(chromiumLaunch)},`),
    );
    copyFileSync("test/page/children/fixtures.spec.ts", join(folder, "fixtures.spec.ts"));
    const report = join(folder, "report.json");
    const cli = resolve("node_modules/@playwright/test/cli.js");
    const run = [process.execPath, cli, "test", "--workers=2", "--retries=0"];
    run.push("--reporter=json", `--output=${join(folder, "results")}`);
    const { output } = await runCommand(folder, run, {
      PORT: appPort,
      API_KEY_FILE: join(folder, "api-key.ts"),
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    });
    const { suites }: JSONReport = JSON.parse(readFileSync(report, "utf8"));
    const ends = suites.flatMap(listSpecs).map(({ title, ok, tests }) => {
      const { attachments = [] } = tests[0]?.results[0] ?? {};
      return { title, ok, attachments };
    });
    const passed = { title: expect.any(String), ok: true, attachments: [] };
    const failed = ends.find(({ title }) => title === "fails after a call");
    // Three of the guide, and five of the file beside it.
    expect(
      ends.filter((end) => end !== failed),
      output,
    ).toEqual(Array(8).fill(passed));
    expect(failed?.ok).toBe(false);
    const [journal, ...others] = failed?.attachments ?? [];
    expect([journal?.name, ...others.map(({ name }) => name)]).toEqual([
      "mock-journal.json",
      "error-context",
    ]);
    const entries = JSON.parse(Buffer.from(journal?.body ?? "", "base64").toString());
    expect(entries).toMatchObject([{ operation: "brands.list", answer: { status: 200 } }]);
  },
);
