/** Builds the example for Next.js and uses it in a real browser, with a mock as the service. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { globSync, readFileSync, statSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { createClient } from "adgen-sdk";
import { startMockServer } from "adgen-sdk/mocks/server";
import { chromium } from "playwright";
import { chromiumLaunch, chromiumMissing, chromiumPath } from "../chromium.ts";
import type { Setting } from "./play-setting.ts";
import { start } from "./processes.ts";

const manifest = JSON.parse(readFileSync("examples/next/package.json", "utf8"));
const { "adgen-sdk": _own, ...packages } = {
  ...manifest.dependencies,
  ...manifest.devDependencies,
};

/** Secrets that occur nowhere else, so that a search for them finds a leak. */
const key = "test-key-of-the-next-example";
const sessionSecret = "secret-of-the-sessions";

/**
 * Starts a relay between the browser and the app, which can cut the connection of a server action
 * once the app has got the action. A browser sends a POST again by itself when a kept connection
 * is reset.
 */
const startRelay = async (port: number) => {
  let cutAfterMs: number | undefined;
  let actions = 0;
  const server = createServer((browser) => {
    const app = connect(port, "127.0.0.1");
    let isCut = false;
    browser.on("data", (chunk) => {
      app.write(chunk);
      if (!/^POST .*\r\nnext-action:/is.test(chunk.toString("latin1"))) return;
      actions += 1;
      if (cutAfterMs === undefined) return;
      isCut = true;
      setTimeout(() => browser.resetAndDestroy(), cutAfterMs);
      cutAfterMs = undefined;
    });
    app.on("data", (chunk) => isCut || browser.write(chunk));
    app.on("end", () => browser.end()).on("error", () => {});
    browser.on("end", () => app.end()).on("error", () => {});
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cutNextAction = (afterMs: number) => {
    cutAfterMs = afterMs;
  };
  return { url, actions: () => actions, cutNextAction, close: () => server.close() };
};

/** Starts the built app. */
const startApp = async (folder: string, env: NodeJS.Dict<string>) => {
  const app = start("npx next start --hostname 127.0.0.1 --port 0", folder, env);
  const [, port] = await app.says(/http:\/\/127\.0\.0\.1:(\d+)/);
  await app.says(/Ready in/);
  return { app, port: Number(port) };
};

/**
 * The same app with the setting that adds a slash to each path, and the one that the guide names.
 */
export const nextWithSlashes: Setting = {
  name: "Next.js, trailingSlash",
  packages,
  from: "examples/next",
  files: {
    "next.config.ts": readFileSync("examples/next/next.config.ts", "utf8").replaceAll(
      /\/\/ (trailingSlash|skipTrailingSlashRedirect)/g,
      "$1",
    ),
  },
  runs: { "npx next build": /Compiled successfully/ },
  async play({ folder, check }) {
    await using mock = await startMockServer({ accounts: { [key]: {} } });
    const env = { ADGEN_BASE_URL: mock.url, ADGEN_API_KEY: key, SESSION_SECRET: sessionSecret };
    const { app, port } = await startApp(folder, env);
    const signature = createHmac("sha256", sessionSecret).update("Ada").digest("base64url");
    const cookie = `session=Ada.${signature}`;
    const baseUrl = `http://127.0.0.1:${port}/adgen`;
    try {
      await check("a page's submission is charged once, with its path as it is", async () => {
        const headers = { cookie };
        const client = createClient({ baseUrl, apiKey: null, callIds: true, headers });
        await client.jobs.submit({ action: "generate-ad" });
        assert.equal(mock.service.account(key).charges.length, 1);
      });
      await check("a path with a slash at its end reaches the proxy", async () => {
        const init = { headers: { cookie }, redirect: "manual" } as const;
        assert.equal((await fetch(`${baseUrl}/v1/jobs/`, init)).status, 200);
      });
    } finally {
      await app.kill();
    }
  },
};

export const nextExample: Setting = {
  name: "Next.js, the example",
  packages,
  from: "examples/next",
  runs: { "npx next build": /Compiled successfully/ },
  async play({ folder, check }) {
    if (chromiumPath === undefined) throw new Error(chromiumMissing);
    const timeline = { queuedMs: 500, processingMs: Number.POSITIVE_INFINITY };
    await using mock = await startMockServer({ accounts: { [key]: {} }, timeline });
    const account = mock.service.account(key);
    const env = { ADGEN_BASE_URL: mock.url, ADGEN_API_KEY: key, SESSION_SECRET: sessionSecret };
    const { app, port } = await startApp(folder, env);
    const relay = await startRelay(port);
    const browser = await chromium.launch(chromiumLaunch);
    const visit = async (name: string) => {
      const context = await browser.newContext({ baseURL: relay.url });
      const page = await context.newPage();
      await page.goto("/");
      await page.getByRole("button", { name }).click();
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      return { context, page, cards: page.locator("[data-job]") };
    };
    try {
      const ada = await visit("Ada");
      const order = async (prompt: string): Promise<void> => {
        await ada.page.getByLabel("Your ad").fill(prompt);
        await ada.page.getByRole("button", { name: "Order" }).click();
      };
      await check("no file for browsers holds a secret", () => {
        const files = globSync(`${folder}/.next/static/**/*`);
        const texts = files
          .filter((file) => statSync(file).isFile())
          .map((file) => readFileSync(file, "utf8"));
        assert(texts.length > 3, "there are files to search in");
        for (const secret of [key, sessionSecret, mock.url]) {
          assert(!texts.some((text) => text.includes(secret)), secret);
        }
      });
      await check(
        "an order is charged once, outlives a reload, and shows its picture",
        async () => {
          await order("Lemonade");
          await ada.cards.getByText("Being made").waitFor();
          await ada.page.reload();
          await ada.cards.getByText("Being made").waitFor();
          assert.equal(account.charges.length, 1);
          mock.service.jobs.complete(account.charges[0]?.jobId ?? "");
          await ada.page.waitForFunction(() => (document.images[0]?.naturalWidth ?? 0) > 0);
        },
      );
      await check("another person sees nothing of it", async () => {
        const grace = await visit("Grace");
        await grace.page.getByText("Your ads will be here.").waitFor();
        const path = `/adgen/v1/jobs/${account.charges[0]?.jobId}`;
        assert.equal((await grace.context.request.get(path)).status(), 404);
        await grace.context.close();
      });
      for (const afterMs of [150, 700]) {
        await check(
          `an action that Chromium sends again after ${afterMs} ms is charged once`,
          async () => {
            const latency = { kind: "latency", ms: 400 } as const;
            mock.service.faults.play(latency, { operation: "jobs.submit", times: 1 });
            const [charges, actions] = [account.charges.length, relay.actions()];
            // Chromium sends the action again only if its connection was used before.
            await ada.page.evaluate(async () => (await fetch("/adgen/v1/jobs")).text());
            relay.cutNextAction(afterMs);
            await order(`Cut after ${afterMs} ms`);
            await ada.cards.nth(charges).waitFor();
            assert.equal(relay.actions() - actions, 2, "Chromium has sent the action twice");
            assert.equal(account.charges.length - charges, 1);
          },
        );
      }
    } finally {
      await browser.close();
      relay.close();
      await app.kill();
    }
  },
};
