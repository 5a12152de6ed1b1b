/**
 * The example for Next.js, built with both bundlers, in a real browser. The mock stands for the
 * service.
 */
import assert from "node:assert/strict";
import { globSync, readFileSync, statSync } from "node:fs";
import { startMockServer } from "adgen-sdk/mocks/server";
import { chromium } from "playwright";
import { chromiumLaunch, chromiumMissing, chromiumPath } from "../../chromium.ts";
import { runWell, start } from "../processes.ts";
import type { Place, Setting } from "../setting.ts";
import { startResettingRelay } from "./resetting-relay.ts";
import { tryApp, useApp } from "./use-app.ts";
import type { Scene } from "./visit-app.ts";

const manifest = JSON.parse(readFileSync("examples/next/package.json", "utf8"));
const { "adgen-sdk": _own, ...packages } = {
  ...manifest.dependencies,
  ...manifest.devDependencies,
};

const waitingPath = "wait-on-the-server";
/** A page beside the example's own. Next.js remembers what a component fetches while it renders. */
const waitingPage = `import { createClient, pollJob } from "adgen-sdk";

export default async function Page({ searchParams }: { searchParams: Promise<{ job: string }> }) {
  const { job } = await searchParams;
  const { status } = await pollJob(createClient(), job, { intervalMs: 100, timeoutMs: 20_000 });
  return <p>{\`seen: \${status}\`}</p>;
}
`;

/** Nothing else has this text, so that a leak of it is found. */
const key = "test-key-of-the-next-example";

/** Environment of the app. Each is a secret, that of the service's address included. */
const secrets = {
  ADGEN_BASE_URL: "http://127.0.0.1:9/address-of-the-service",
  ADGEN_API_KEY: key,
  SESSION_SECRET: "secret-of-the-sessions",
};

/** Jobs of the example end when its checks say so. */
const endless = { queuedMs: 500, processingMs: Number.POSITIVE_INFINITY };

/** Starts the app before a service of its own, and uses it. */
const drive = async (
  { folder, check }: Place,
  command: string,
  use: (scene: Scene) => Promise<void>,
): Promise<void> => {
  await using mock = await startMockServer({ accounts: { [key]: {} }, timeline: endless });
  const env = { ...secrets, ADGEN_BASE_URL: mock.url };
  const app = start(`npx next ${command} --hostname 127.0.0.1 --port 0`, folder, env);
  await app.says(/Ready in/);
  const [, port] = await app.says(/http:\/\/127\.0\.0\.1:(\d+)/);
  console.log(`  next ${command}`);
  const relay = await startResettingRelay(Number(port));
  const browser = await chromium.launch(chromiumLaunch);
  try {
    const { service } = mock;
    await use({ check, browser, relay, service, account: service.account(key) });
    await check("the app has printed no error and no warning", () => {
      // Next.js looks for locks in the folders around, which are not the app's.
      const around = /^.*(inferred your workspace root|To silence this warning).*$/gm;
      assert.doesNotMatch(app.printed().replace(around, ""), /error|warn|⨯|⚠/i);
    });
  } finally {
    await browser.close();
    relay.close();
    await app.kill();
  }
};

const findNoSecret = (folder: string): void => {
  const files = globSync(`${folder}/.next/static/**/*`).filter((file) => statSync(file).isFile());
  const texts = files.map((file) => readFileSync(file, "utf8"));
  assert(texts.length > 3, "there are files to search in");
  for (const secret of Object.values(secrets)) {
    assert(!texts.some((text) => text.includes(secret)), secret);
  }
};

export const nextExample: Setting = {
  name: "Next.js, the example",
  packages,
  from: "examples/next",
  files: { [`app/${waitingPath}/page.tsx`]: waitingPage },
  async play(place) {
    const { folder, check } = place;
    if (chromiumPath === undefined) throw new Error(chromiumMissing);
    for (const bundler of ["turbopack", "webpack"]) {
      // Once as in a container's build, and once as where the settings are there.
      const [how, env] = bundler === "turbopack" ? ["without", {}] : ["with", secrets];
      await check(`${bundler}: next build ${how} the settings`, () =>
        runWell(`npx next build --${bundler}`, folder, env),
      );
      await check("no file for browsers holds a secret", () => findNoSecret(folder));
      await drive(place, "start", (scene) => useApp(scene, waitingPath));
    }
    for (const command of ["dev --turbopack", "dev --webpack"]) await drive(place, command, tryApp);
  },
};
