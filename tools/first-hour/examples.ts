/** The examples that need packages or runtimes of their own, copied as a reader would copy them. */
import { readFileSync } from "node:fs";
import { chromiumLaunch, chromiumMissing, chromiumPath } from "../chromium.ts";
import type { Setting } from "./play-setting.ts";
import { somePassed } from "./play-setting.ts";

const copy = (...files: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    files.map((file) => [file.split("/").at(-1) ?? file, readFileSync(`examples/${file}`, "utf8")]),
  );

/** Runs a page's hook in Node: starts a proxy, and sets `location` to the proxy's address. */
const pageIn = (use: string): string => `
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createProxy } from "adgen-sdk/proxy";
import { createMemoryStore } from "adgen-sdk/submissions";

const proxy = createProxy({ allowAnyone: true, store: createMemoryStore() });
const server = createServer(getRequestListener((request) => proxy(request)));
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
globalThis.location = new URL("http://127.0.0.1:" + server.address().port);
const request = { action: "generate-ad", prompt: "Lemonade" };
const until = async (find) => {
  for (;;) {
    const { job, error } = find();
    if (error) throw error;
    if (job?.status === "completed") return console.log("completed");
    await new Promise((wait) => setTimeout(wait, 50));
  }
};
${use}
server.close();
server.closeAllConnections();
`;

const hook = (name: string, packages: Record<string, string>, file: string, use: string) => ({
  name,
  packages: { "@hono/node-server": "2.1.8", ...packages },
  files: { ...copy(`page/${file}`), "main.js": pageIn(use) },
  runs: { "node main.js": /^completed\ncompleted$/m },
  spends: 1,
});

const playwrightConfig = `
export default {
  testMatch: "*.spec.ts",
  use: { baseURL: "http://localhost:3000", launchOptions: ${JSON.stringify(chromiumLaunch)} },
  webServer: { command: "npx vite build && node server.ts", url: "http://localhost:3000", stdout: "pipe" },
};
`;

const reactQueryTest = `// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import { setupMockServer } from "adgen-sdk/mocks/node";
import { createElement, StrictMode } from "react";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useOrder } from "./use-order-query.ts";

const mock = setupMockServer({ pageKey: "test-key" });
beforeAll(mock.listen);
afterAll(mock.close);

test("a slot is one order, also for a page that comes back", async () => {
  for (const _ of [1, 2]) {
    const client = new QueryClient();
    const inPage = ({ children }) =>
      createElement(StrictMode, null, createElement(QueryClientProvider, { client }, children));
    const request = { action: "generate-ad", prompt: "Lemonade" };
    const { result, unmount } = renderHook(() => useOrder("hero", request), { wrapper: inPage });
    await waitFor(() => expect(result.current.data?.status).toBe("completed"), { timeout: 20_000 });
    unmount();
  }
  mock.service.account("test-key").assertCharges([{ amount: 1 }]);
}, 60_000);
`;

const objectHost = `
import { Miniflare } from "miniflare";

const { ADGEN_BASE_URL, ADGEN_API_KEY } = process.env;
const miniflare = new Miniflare({
  modules: true,
  scriptPath: "built.js",
  compatibilityDate: "2026-07-01",
  bindings: { ADGEN_BASE_URL, ADGEN_API_KEY },
  durableObjects: { ORDERS: "Order" },
});
const url = String(await miniflare.ready) + "anna/order-1";
const put = async () => (await fetch(url, { method: "PUT", body: "Lemonade" })).text();
const jobs = await Promise.all([put(), put()]);
jobs.push(await put());
for (let job = null; job?.status !== "completed"; ) {
  await new Promise((wait) => setTimeout(wait, 500));
  job = await (await fetch(url)).json();
  if (job !== null) console.log(job.status, new Set([...jobs, job.job_id]).size, "job");
}
await miniflare.dispose();
`;

export const examples: readonly Setting[] = [
  {
    name: "Example: scripts",
    files: {
      ...copy("make-ads.ts", "batch-from-csv.ts", "download-files.ts"),
      "rows.csv": "1,Tea\n",
    },
    runs: {
      "node make-ads.ts && node make-ads.ts": /(ads\/job_\S+\.svg\n.*){8}/s,
      "rm -r ads submissions*; node batch-from-csv.ts rows.csv": /^1 completed\n$/,
      "node download-files.ts": /(ads\/job_\S+\.svg.*){5}/s,
    },
    mock: "",
  },
  {
    name: "Example: Jest and jsdom",
    packages: { jest: "30.5.2", "jest-environment-jsdom": "30.5.2", "jest-fixed-jsdom": "0.0.11" },
    files: copy("testing/jest-jsdom.test.js"),
    runs: { "NODE_OPTIONS=--experimental-vm-modules npx jest": somePassed },
  },
  {
    name: "Example: Mocha",
    packages: { mocha: "12.0.3", msw: "3.0.5" },
    files: copy("testing/mocha.test.js"),
    runs: { "npx mocha mocha.test.js": /1 passing/ },
  },
  {
    name: "Example: Playwright and the page",
    packages: {
      ...{ "@playwright/test": "1.65.1", hono: "4.13.19", "@hono/node-server": "2.1.8" },
      ...{ vite: "8.3.8", react: "19.3.1", "react-dom": "19.3.1" },
    },
    files: {
      ...copy("page/index.html", "page/main.tsx", "page/server.ts", "page/use-order.ts"),
      ...copy("testing/playwright.spec.ts"),
      "playwright.config.ts": playwrightConfig,
    },
    mock: "",
    runs: { "npx playwright test": /2 passed/ },
    ...(chromiumPath === undefined && {
      play: async () => {
        throw new Error(chromiumMissing);
      },
    }),
  },
  {
    name: "Example: React Query",
    packages: {
      ...{ vitest: "5.1.0", msw: "3.0.5", "happy-dom": "21.0.4", react: "19.3.1" },
      ...{ "react-dom": "19.3.1", "@tanstack/react-query": "5.108.0" },
      ...{ "@testing-library/react": "16.3.3", "@testing-library/dom": "10.4.2" },
    },
    files: { ...copy("page/use-order-query.ts"), "hook.test.js": reactQueryTest },
    runs: { "npx vitest run": somePassed },
  },
  hook(
    "Example: Vue",
    { vue: "3.5.45" },
    "use-order-vue.ts",
    `const { effectScope } = await import("vue");
const { useOrder } = await import("./use-order-vue.ts");
for (const _ of [1, 2]) {
  const scope = effectScope();
  const order = scope.run(() => useOrder("hero", () => request));
  await until(() => ({ job: order.job.value, error: order.error.value }));
  scope.stop();
}`,
  ),
  hook(
    "Example: Svelte",
    { svelte: "5.57.3" },
    "order-store-svelte.ts",
    `const { orderFor } = await import("./order-store-svelte.ts");
for (const _ of [1, 2]) {
  let order = {};
  const leave = orderFor("hero", request).subscribe((seen) => { order = seen; });
  await until(() => order);
  leave();
}`,
  ),
  {
    name: "Example: a Durable Object",
    packages: { miniflare: "4.20260730.0", esbuild: "0.28.2" },
    files: { ...copy("durable-object.ts"), "host.js": objectHost },
    runs: {
      "npx esbuild durable-object.ts --outfile=built.js --bundle --format=esm --log-level=warning --conditions=workerd,worker,browser '--external:cloudflare:*'":
        /^$/,
      "node host.js": /^completed 1 job$/m,
    },
    spends: 1,
  },
];
