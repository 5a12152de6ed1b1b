// examples/page, built by Vite and clicked through as visitors would.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { getRequestListener } from "@hono/node-server";
import type { MockServer } from "adgen-sdk/mocks/server";
import { startMockServer } from "adgen-sdk/mocks/server";
import type { Page } from "playwright";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createApp } from "../../examples/page/server.ts";
import { listenOnLoopback } from "../runtimes/loopback-server.ts";
import { useBrowser, withoutBrowser } from "./open-page.ts";

const apiKey = "test-key-that-no-page-may-see";

// Restore the two classes, which Hono's server replaces.
const { Request, Response } = globalThis;
afterAll(() => void Object.assign(globalThis, { Request, Response }));

describe.skipIf(withoutBrowser)("the example of a page", () => {
  const { launched, cleanups } = useBrowser();
  const folder = mkdtempSync(join(tmpdir(), "adgen-page-"));
  let mock: MockServer;
  let url = "";

  beforeAll(async () => {
    mock = await startMockServer({
      accounts: { [apiKey]: {} },
      timeline: { queuedMs: 0, processingMs: Number.POSITIVE_INFINITY },
    });
    vi.stubEnv("ADGEN_BASE_URL", mock.url);
    vi.stubEnv("ADGEN_API_KEY", apiKey);
    const root = resolve("examples/page");
    // The page is built from the sources, as the tests are.
    const own = { resolve: { tsconfigPaths: true }, build: { outDir: folder, emptyOutDir: true } };
    await build({ root, configFile: false, logLevel: "error", ...own });
    const listener = getRequestListener(createApp(folder).fetch);
    url = await listenOnLoopback("HTTP/1.1", (request, response) => listener(request, response));
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await mock?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens a browser of its own for a person, and notes everything that reaches its page. */
  const signIn = async (name: string) => {
    const context = await launched().newContext();
    cleanups.push(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const received: Promise<string>[] = [];
    page.on("requestfinished", (request) => {
      const read = async (): Promise<string> => {
        const response = await request.response();
        const head = JSON.stringify([request.url(), request.headers(), response?.headers()]);
        return `${head} ${await response?.text()}`;
      };
      // After a reload, the browser no longer has the bodies of the earlier page.
      received.push(read().catch(() => ""));
    });
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    cleanups.push(() => expect(errors).toEqual([]));
    await page.goto(url);
    await page.getByRole("button", { name }).click();
    await page.getByText(`The ads of ${name}`).waitFor();
    const seen = async (): Promise<string> => {
      const stores = () => JSON.stringify([document.cookie, localStorage, sessionStorage]);
      const texts = [...(await Promise.all(received)), await page.content()];
      return [...texts, await page.evaluate(stores)].join("\n");
    };
    return { page, seen };
  };

  const order = async (page: Page, prompt: string): Promise<void> => {
    await page.getByLabel("Your ad").fill(prompt);
    await page.getByRole("button", { name: "Order" }).click();
  };
  const charges = () => mock.service.account(apiKey).charges;

  test("the example page pays once for an order that is clicked twice and reloaded, and shows its picture", async () => {
    const { page, seen } = await signIn("Ada");
    await order(page, "Lemonade");
    await page.getByRole("button", { name: "Order" }).click();
    await page.getByRole("progressbar").waitFor();
    await page.reload();
    await page.getByRole("progressbar").waitFor();
    await expect.poll(charges).toMatchObject([{ amount: 1 }]);
    mock.service.jobs.complete(charges()[0]?.jobId ?? "");
    const picture = page.getByRole("img", { name: "Lemonade" });
    await expect
      .poll(async () => {
        // The page polls at once, as when a visitor comes back to the tab.
        await page.evaluate(() => void document.dispatchEvent(new Event("visibilitychange")));
        return (
          (await picture.isVisible()) &&
          picture.evaluate((img: HTMLImageElement) => img.naturalWidth)
        );
      })
      .toBe(1080);
    await page.reload();
    await picture.waitFor();
    expect(charges()).toHaveLength(1);

    // Another person can't see the job, and the same order is a new one.
    const grace = await signIn("Grace");
    const path = `/adgen/v1/jobs/${charges()[0]?.jobId}`;
    expect((await grace.page.request.get(`${url}${path}`)).status()).toBe(404);
    await order(grace.page, "Lemonade");
    await expect.poll(() => charges().length).toBe(2);
    await expect.poll(() => grace.seen()).toContain(charges()[1]?.jobId);
    const [byAda, byGrace] = [await seen(), await grace.seen()];
    for (const text of [byAda, byGrace]) expect(text).not.toContain(apiKey);
    const [first = "", second = ""] = charges().map(({ jobId }) => jobId);
    expect([byAda.includes(first), byGrace.includes(first)]).toEqual([true, false]);
    expect([byAda.includes(second), byGrace.includes(second)]).toEqual([false, true]);
  });

  test("the example page says that a limit is reached, and that an order is in doubt, at no cost", async () => {
    const { page } = await signIn("Ada");
    for (let count = 2; count <= 5; count += 1) {
      // The test above has ordered the first ad.
      const before = charges().length;
      await order(page, `Ad ${count}`);
      await expect.poll(() => charges().length).toBe(before + 1);
    }
    const before = charges().length;
    await order(page, "One too many");
    await page.getByRole("alert").getByText("Your limit for today is reached.").waitFor();
    expect(charges()).toHaveLength(before);

    const { page: lost } = await signIn("Grace");
    mock.service.faults.play({ kind: "reset", accepted: true }, { operation: "jobs.submit" });
    await order(lost, "Lost on the way");
    await lost.getByRole("alert").getByText("It may be ordered already").waitFor();
    await lost.reload();
    await lost.getByRole("alert").getByText("It may be ordered already").waitFor();
    expect(charges()).toHaveLength(before + 1);
  });
});
