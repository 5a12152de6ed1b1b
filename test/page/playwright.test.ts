// The fixtures for Playwright, in Playwright's own runner: its guide, and what the guide does not show.
import { copyFileSync, readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { chromiumLaunch } from "../../tools/chromium.ts";
import { writeRecipe } from "../helpers/recipes.ts";
import { runCommand } from "../helpers/run-command.ts";
import { withoutBrowser } from "./open-page.ts";

interface Attachment {
  readonly name: string;
  readonly body?: string;
  readonly path?: string;
}

interface Spec {
  readonly title: string;
  readonly ok: boolean;
  readonly tests: readonly {
    readonly results: readonly { readonly attachments: readonly Attachment[] }[];
  }[];
}

interface Suite {
  readonly specs?: readonly Spec[];
  readonly suites?: readonly Suite[];
}

const findPort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
};

const listSpecs = ({ specs = [], suites = [] }: Suite): readonly Spec[] => [
  ...specs,
  ...suites.flatMap(listSpecs),
];

describe.skipIf(withoutBrowser)("the fixtures for Playwright", () => {
  let output = "";
  const specs = new Map<string, Spec>();

  beforeAll(async () => {
    const [appPort, mockPort] = [await findPort(), await findPort()];
    const folder = writeRecipe("docs/testing/playwright.md", (code) =>
      // What the guide's reader has, and this machine has elsewhere.
      code
        .replaceAll("npx -p adgen-sdk adgen-mock", `${process.execPath} ${resolve("mocks/cli.ts")}`)
        .replaceAll("npm start", `${process.execPath} ${resolve("test/page/children/ads-app.ts")}`)
        .replaceAll("4471", String(mockPort))
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
    ({ output } = await runCommand(folder, run, {
      PORT: String(appPort),
      API_KEY_FILE: join(folder, "api-key.ts"),
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    }));
    for (const spec of listSpecs(JSON.parse(readFileSync(report, "utf8")))) {
      specs.set(spec.title, spec);
    }
  });

  test("pass, put the requests of a failed test into its report, and nothing into others", () => {
    const ends = [...specs].map(([title, { ok, tests }]) => {
      const names = tests[0]?.results[0]?.attachments.map(({ name }) => name);
      return [title, ok ? "passes" : "fails", ...(names ?? [])];
    });
    const passing = [
      "shows the picture of a new ad",
      "says that the credits are used up",
      "asks to try again when the service is down",
      "orders an ad on the server",
      "leads calls of another origin, whatever key the page sends",
      "removes the account of the test before",
      "ends with an answer that never comes",
      "makes the one account as new",
      "finds it as new",
    ];
    const failing = ["fails after a call", "fails", "mock-journal.json", "error-context"];
    const expected = [...passing.map((title) => [title, "passes"]), failing];
    expect(ends.sort(), output).toEqual(expected.sort());

    const [journal] = specs.get("fails after a call")?.tests[0]?.results[0]?.attachments ?? [];
    const entries = JSON.parse(Buffer.from(journal?.body ?? "", "base64").toString());
    expect(entries).toMatchObject([{ operation: "brands.list", answer: { status: 200 } }]);
  });
});
