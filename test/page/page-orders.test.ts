// The guide's React hook in Chromium, under StrictMode, before a proxy and the mock.
import { type ServerType, serve } from "@hono/node-server";
import { createMockService } from "adgen-sdk/mocks";
import { startMockServer } from "adgen-sdk/mocks/server";
import { createProxy } from "adgen-sdk/proxy";
import { createMemoryStore } from "adgen-sdk/submissions";
import { build } from "esbuild";
import type { BrowserContext, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeRecipe } from "../helpers/recipes.ts";
import { useBrowser, withoutBrowser } from "./open-page.ts";

// Hono's server puts its own in their place.
const { Request, Response } = globalThis;
afterAll(() => void Object.assign(globalThis, { Request, Response }));

const app = `
  import { StrictMode, useEffect } from "react";
  import { createRoot } from "react-dom/client";
  import { ordersOf } from "./orders.ts";
  import { useOrder } from "./use-order.ts";

  const orders = ordersOf(/user=(\\w+)/.exec(document.cookie)![1]);
  const App = () => {
    const order = useOrder(orders, "hero");
    useEffect(() => { globalThis.mounts = (globalThis.mounts ?? 0) + 1; }, []);
    const start = () => orders.start("hero", { action: "generate-ad", prompt: "Lemonade" });
    const { state, job_id, error } = order;
    return <><button onClick={start}>Order</button><output>{[state, job_id, error?.code].join(" ")}</output></>;
  };
  createRoot(document.body).render(<StrictMode><App /></StrictMode>);
`;

const buildPage = async (): Promise<string> => {
  const resolveDir = writeRecipe("docs/guides/repeats.md", undefined, "page-orders");
  const { outputFiles } = await build({
    stdin: { contents: app, resolveDir, loader: "tsx" },
    bundle: true,
    write: false,
    jsx: "automatic",
    target: "es2022",
    // React mounts twice in development only.
    define: { "process.env.NODE_ENV": '"development"', packageVersion: '"0.0.0"' },
  });
  return outputFiles[0]?.text ?? "";
};

describe.skipIf(withoutBrowser)("orders of a page in Chromium", () => {
  const { launched, cleanups } = useBrowser();
  const service = createMockService({ timeline: { queuedMs: 0, processingMs: 600_000 } });
  /** Answers to submissions wait for it. */
  let gate = Promise.withResolvers<void>();
  let posts = 0;
  let mock: Awaited<ReturnType<typeof startMockServer>>;
  let server: ServerType;
  let url: string;

  beforeAll(async () => {
    const script = await buildPage();
    mock = await startMockServer({ service });
    const proxy = createProxy({
      baseUrl: mock.url,
      apiKey: "test-key",
      authorize: ({ headers }) => /user=(\w+)/.exec(headers.get("cookie") ?? "")?.[1],
      store: createMemoryStore(),
    });
    const answer = async (request: globalThis.Request) => {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/page.js")) {
        return new Response(script, { headers: { "content-type": "text/javascript" } });
      }
      if (!pathname.startsWith("/adgen/")) {
        const html =
          '<!doctype html><link rel="icon" href="data:,"><body><script src="/page.js"></script>';
        return new Response(html, { headers: { "content-type": "text/html" } });
      }
      const response = await proxy(request);
      if (request.method === "POST") {
        posts += 1;
        await gate.promise;
      }
      return response;
    };
    url = await new Promise((resolve) => {
      server = serve({ fetch: answer, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
        resolve(`http://127.0.0.1:${port}/`),
      );
    });
  });
  afterAll(async () => {
    gate.resolve();
    if ("closeAllConnections" in server) server.closeAllConnections();
    server.close();
    await mock.close();
  });

  const open = async (context: BrowserContext): Promise<Page> => {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(url);
    return page;
  };

  const signIn = async (user: string): Promise<BrowserContext> => {
    const context = await launched().newContext();
    cleanups.push(() => context.close());
    await context.addCookies([{ name: "user", value: user, url }]);
    return context;
  };

  const sees = (page: Page, text: string | RegExp) =>
    page.locator("output").filter({ hasText: text }).waitFor();

  const clickTwice = (page: Page) =>
    page.evaluate(() => {
      const button = document.querySelector("button");
      button?.click();
      button?.click();
    });

  /** Makes a page poll at once, as when a visitor comes back to its tab. */
  const look = (page: Page) =>
    page.evaluate(() => void document.dispatchEvent(new Event("visibilitychange")));

  const charges = () => service.account("test-key").charges.length;

  test("clicks, reloads in each phase, a second tab and another user: one charge", async () => {
    const anna = await signIn("anna");
    const page = await open(anna);
    await sees(page, /^none/);
    expect(await page.evaluate("mounts")).toBe(2);

    await clickTwice(page);
    await sees(page, "submitting");
    await expect.poll(charges).toBe(1);
    await page.reload();
    await sees(page, "submitting");
    const second = await open(anna);
    await sees(second, "submitting");
    await expect.poll(() => posts).toBeGreaterThan(1);
    gate.resolve();
    await sees(page, "waiting");
    await sees(second, "waiting");
    const [job] = service.jobs.all;
    await sees(second, `waiting ${job?.job_id}`);

    await clickTwice(second);
    await page.reload();
    await sees(page, `waiting ${job?.job_id}`);
    service.jobs.complete(`${job?.job_id}`);
    await look(page);
    await sees(page, `completed ${job?.job_id}`);
    // The storage tells the other tab.
    await look(second);
    await sees(second, `completed ${job?.job_id}`);
    await page.reload();
    await sees(page, `completed ${job?.job_id}`);
    expect(charges()).toBe(1);

    // Another user at the same browser.
    await anna.addCookies([{ name: "user", value: "bob", url }]);
    const bobs = await open(anna);
    await sees(bobs, /^none/);
    expect(await bobs.content()).not.toContain(job?.job_id);
  });

  test("two tabs that order in the same moment pay once", async () => {
    gate = Promise.withResolvers();
    const carol = await signIn("carol");
    const tabs = await Promise.all([open(carol), open(carol)]);
    await Promise.all(tabs.map((tab) => sees(tab, /^none/)));
    const before = charges();
    await Promise.all(tabs.map(clickTwice));
    await Promise.all(tabs.map((tab) => sees(tab, "submitting")));
    gate.resolve();
    await Promise.all(tabs.map((tab) => sees(tab, "waiting")));
    expect(charges() - before).toBe(1);
  });

  test("a storage that is full, or blocked, lets nothing be sent", async () => {
    const dora = await signIn("dora");
    await dora.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
      };
    });
    const page = await open(dora);
    await sees(page, /^none/);
    const before = [posts, charges()];
    await page.getByRole("button").click();
    await sees(page, "error store");
    expect([posts, charges()]).toEqual(before);
  });
});
