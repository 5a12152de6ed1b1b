/**
 * `npm run test:next`: the example for Next.js, built with both bundlers, in a real browser. The
 * package of this checkout and its mock stand for the published ones. Installs Next.js into .tmp.
 */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startMockServer } from "adgen-sdk/mocks/server";
import { chromium } from "playwright";
import { chromiumLaunch, chromiumMissing, chromiumPath } from "../chromium.ts";
import { createChecks } from "./checks.ts";
import { appFolder, installExample } from "./install.ts";
import { startResettingRelay } from "./resetting-relay.ts";
import { buildApp, startApp } from "./run-next.ts";
import { type Scene, tryApp, useApp } from "./use-app.ts";

/** Nothing else has this text, so that a leak of it is found. */
const key = "test-key-of-the-next-example";

const { check, sumUp } = createChecks();
if (chromiumPath === undefined) throw new Error(chromiumMissing);
installExample();
const browser = await chromium.launch(chromiumLaunch);

/** Starts the app before a service of its own, and uses it. */
const drive = async (
  args: readonly string[],
  use: (scene: Scene) => Promise<void>,
): Promise<void> => {
  const timeline = { queuedMs: 500, processingMs: Number.POSITIVE_INFINITY };
  await using mock = await startMockServer({ accounts: { [key]: {} }, timeline });
  const app = await startApp(args, {
    ADGEN_BASE_URL: mock.url,
    ADGEN_API_KEY: key,
    SESSION_SECRET: "secret of the test",
  });
  const relay = await startResettingRelay(app.port);
  try {
    await use({ check, browser, relay, service: mock.service, key });
    await check("the app has printed no error and no warning", () => {
      // Next.js finds the repository around the copy, and says that it leaves it alone.
      const printed = app.printed().replace(/^.*ignored package-lock\.json.*$/m, "");
      assert.doesNotMatch(printed, /error|warn|⨯|⚠/i);
    });
  } finally {
    relay.close();
    await app.close();
  }
};

try {
  for (const bundler of ["turbopack", "webpack"]) {
    console.log(`\n${bundler}: next build, next start`);
    await check("builds, without the key", () => buildApp(bundler));
    await check("no file for browsers names the key or the service", () => {
      const files = globSync(join(appFolder, ".next/static/**/*.*"));
      assert(files.length > 3);
      const texts = files.map((file) => readFileSync(file, "utf8"));
      const leaks = /ADGEN_API_KEY=|test-key|proxy\.internal|SESSION_SECRET/;
      assert.deepEqual(
        files.filter((_, index) => leaks.test(texts[index] ?? "")),
        [],
      );
    });
    await drive(["start"], useApp);
  }
  for (const bundler of ["turbopack", "webpack"]) {
    console.log(`\n${bundler}: next dev`);
    await drive(["dev", `--${bundler}`], tryApp);
  }
} finally {
  await browser.close();
}
process.exitCode = sumUp() > 0 ? 1 : 0;
