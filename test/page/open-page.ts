import { type Browser, type BrowserContextOptions, chromium } from "playwright";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { startMockServer } from "../../mocks/server/index.ts";
import { chromiumLaunch, chromiumMissing, chromiumPath } from "../../tools/chromium.ts";
import type { Filled } from "./services.ts";

/** In CI a missing browser is an error. */
export const withoutBrowser = chromiumPath === undefined && !process.env["CI"];
if (chromiumPath === undefined && process.env["CI"]) throw new Error(chromiumMissing);

interface OpenOptions extends BrowserContextOptions, Filled {
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
 * Opens the page of a fresh server in Chromium. After each test it checks that the browser has
 * complained about nothing, and that the page has asked its own server only.
 */
export const usePages = () => {
  const { launched, cleanups } = useBrowser();

  return async ({ service: options, prepare, tolerate, ...own }: OpenOptions = {}) => {
    const service = createMockService(options);
    await prepare?.(service);
    const server = await startMockServer({ service });
    cleanups.push(() => server.close());

    const context = await launched().newContext({
      viewport: { width: 1280, height: 900 },
      // A click then waits for no animation.
      reducedMotion: "reduce",
      ...own,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const complaints: string[] = [];
    /** URLs that the page has asked for. */
    const asked: string[] = [];
    const questions: string[] = [];
    const isYes = true;
    const complain = (text: string): void => {
      if (!tolerate?.test(text)) complaints.push(text);
    };
    page.on("pageerror", (error) => complain(error.message));
    page.on("console", (message) => {
      if (message.type() !== "info" && message.type() !== "log") complain(message.text());
    });
    page.on("dialog", (dialog) => {
      if (dialog.type() === "confirm") questions.push(dialog.message());
      else complain(`dialog: ${dialog.message()}`);
      void (isYes ? dialog.accept() : dialog.dismiss());
    });
    page.on("request", (request) => asked.push(request.url()));
    cleanups.push(async () => {
      await context.close();
      expect(complaints).toEqual([]);
      const isOwn = (url: string) => url.startsWith(server.url) || url.startsWith("data:");
      expect(asked.filter((url) => !isOwn(url))).toEqual([]);
    });

    await page.goto(`${server.url}/__mock/`);
    await page.locator("#jobs").waitFor({ state: "attached" });
    return {
      ...{ page, service, url: server.url, asked },
      /** Stops the server; the page stays. */
      stop: () => server.close(),
    };
  };
};
