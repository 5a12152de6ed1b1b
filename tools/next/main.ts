/**
 * `npm run test:next`: the example for Next.js, built with both bundlers, in a real browser. The
 * package of this checkout and its mock stand for the published ones. Installs Next.js into .tmp.
 */
import assert from "node:assert/strict";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { startMockServer } from "adgen-sdk/mocks/server";
import { chromium } from "playwright";
import { chromiumLaunch, chromiumMissing, chromiumPath } from "../chromium.ts";
import { createChecks } from "./checks.ts";
import { appFolder, copyExample, installPackages } from "./install.ts";
import { startResettingRelay } from "./resetting-relay.ts";
import { buildApp, startApp } from "./run-next.ts";
import { tryApp, useApp } from "./use-app.ts";
import type { Scene } from "./visit-app.ts";

/** Nothing else has this text, so that a leak of it is found. */
const key = "test-key-of-the-next-example";

/** Environment of the app. Each is a secret, that of the service's address included. */
const settings = {
  ADGEN_BASE_URL: "http://127.0.0.1:9/address-of-the-service",
  ADGEN_API_KEY: key,
  SESSION_SECRET: "secret-of-the-sessions",
};

const { check, sumUp } = createChecks();
if (chromiumPath === undefined) throw new Error(chromiumMissing);
installPackages();
const browser = await chromium.launch(chromiumLaunch);

/** Jobs of the example end when its checks say so. */
const endless = { queuedMs: 500, processingMs: Number.POSITIVE_INFINITY };

/** Starts the app before a service of its own, and uses it. */
const drive = async (
  args: readonly string[],
  use: (scene: Scene) => Promise<void>,
): Promise<void> => {
  await using mock = await startMockServer({ accounts: { [key]: {} }, timeline: endless });
  const app = await startApp(args, { ...settings, ADGEN_BASE_URL: mock.url });
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

const findNoSecretIn = (pattern: string): void => {
  const files = globSync(join(appFolder, pattern)).filter((file) => statSync(file).isFile());
  assert(files.length > 3, "there are files to search in");
  const secrets = Object.values(settings);
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    const found = secrets.filter((secret) => text.includes(secret));
    assert.deepEqual(found, [], file);
  }
};

try {
  copyExample();
  for (const bundler of ["turbopack", "webpack"]) {
    console.log(`\n${bundler}: next build, next start`);
    // Once as in a container's build, and once as where the settings are there.
    const [how, env] = bundler === "turbopack" ? (["without", {}] as const) : ["with", settings];
    await check(`builds ${how} the settings`, () => buildApp(bundler, env));
    await check("no file for browsers holds a secret", () => findNoSecretIn(".next/static/**/*"));
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
