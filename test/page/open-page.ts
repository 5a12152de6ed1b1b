import { type Browser, type BrowserContext, chromium, type ViewportSize } from "playwright";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { startMockServer } from "../../mocks/server/index.ts";
import { chromiumLaunch, chromiumMissing, chromiumPath } from "../../tools/chromium.ts";
import type { Filled } from "./services.ts";

/** In CI a missing browser is an error. */
export const withoutBrowser = chromiumPath === undefined && !process.env["CI"];
if (chromiumPath === undefined && process.env["CI"]) throw new Error(chromiumMissing);

interface OpenOptions extends Filled {
  readonly viewport?: ViewportSize;
  /** Complaints of the browser that belong to the test. */
  readonly tolerate?: RegExp;
}

/** Starts Chromium for the tests of a file, and cleans up after each of them, the newest first. */
export const useBrowser = (...args: string[]) => {
  let browser: Browser;
  const cleanups: (() => unknown)[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ ...chromiumLaunch, args: [...chromiumLaunch.args, ...args] });
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  return { launched: () => browser, cleanups };
};

/**
 * Opens the page of a fresh server in Chromium, in one context for all tests of a file. After each test
 * it checks that the browser has complained about nothing, and that the page has asked its own server only.
 */
export const usePages = () => {
  const { launched, cleanups } = useBrowser();
  let context: BrowserContext;
  beforeAll(async () => {
    // With reduced motion, a click waits for no animation.
    context = await launched().newContext({ reducedMotion: "reduce" });
  });

  return async ({ service: options, prepare, tolerate, viewport }: OpenOptions = {}) => {
    const service = createMockService(options);
    await prepare?.(service);
    const server = await startMockServer({ service });
    cleanups.push(() => server.close());

    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.setViewportSize(viewport ?? { width: 1280, height: 900 });
    const complaints: string[] = [];
    const complain = (text: string): void => {
      if (!tolerate?.test(text)) complaints.push(text);
    };
    page.on("pageerror", (error) => complain(error.message));
    page.on("console", (message) => {
      if (message.type() !== "info" && message.type() !== "log") complain(message.text());
    });
    page.on("dialog", (dialog) => {
      if (dialog.type() !== "confirm") complain(`dialog: ${dialog.message()}`);
      void dialog.accept();
    });
    const isOwn = (url: string) => url.startsWith(server.url) || url.startsWith("data:");
    page.on("request", (request) => {
      if (!isOwn(request.url())) complaints.push(`asked ${request.url()}`);
    });
    cleanups.push(async () => {
      await page.close();
      expect(complaints).toEqual([]);
    });

    await page.goto(`${server.url}/__mock/`);
    return { page, service, url: server.url };
  };
};
