import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import { afterAll, beforeAll } from "vitest";
import { chromiumLaunch, chromiumMissing, chromiumPath } from "../../tools/chromium.ts";
import { bundle } from "./bundle.ts";
import type { Clicks } from "./click-in-page.ts";
import { closeServers } from "./loopback-server.ts";
import { acceptCertificate } from "./repeated-by-chromium.ts";

/** Set by click-in-page.ts. */
declare const clicks: Clicks;

/** Skip the tests then; in CI it is a failure. */
export const withoutChromium = chromiumPath === undefined;
if (withoutChromium) {
  if (process.env["CI"]) throw new Error(chromiumMissing);
  console.warn(`${chromiumMissing} The tests of the proxy's pages are skipped.`);
}

/** The tabs of one person. */
export interface Person {
  readonly context: BrowserContext;
  /** Opens a page in a new tab, the app's if it is not said which; it is then ready for clicks. */
  readonly open: (url?: string) => Promise<Page>;
  /** Submits a job for each prompt, one after the other, in a tab of its own. */
  readonly submitAll: (prompts: readonly string[]) => Promise<Record<string, string>>;
  /** Lists the ids of the jobs that a new tab shows. */
  readonly listJobs: () => Promise<string[]>;
}

/** Starts Chromium for the tests of a file: each person has cookies of its own. */
export const useChromium = (): ((app: string, user: string) => Promise<Person>) => {
  let browser: Browser;
  let script: string;
  beforeAll(async () => {
    [browser, script] = await Promise.all([
      chromium.launch({ ...chromiumLaunch, args: [...chromiumLaunch.args, acceptCertificate] }),
      bundle("click-in-page.ts"),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    closeServers();
  });

  return async (app, user) => {
    const context = await browser.newContext();
    // The worst case: other sites' pages send the cookie, too.
    const cookie = { name: "user", value: user, sameSite: "None", secure: true } as const;
    await context.addCookies([{ ...cookie, url: app.replace("http:", "https:") }]);
    const open = async (url = app): Promise<Page> => {
      const page = await context.newPage();
      await page.goto(url);
      await page.evaluate(script);
      return page;
    };
    return {
      open,
      context,
      submitAll: async (prompts) => {
        const page = await open();
        const ends = await page.evaluate((all) => clicks.submitAll(all), prompts);
        return Object.fromEntries(prompts.map((prompt, index) => [prompt, ends[index] ?? ""]));
      },
      listJobs: async () => {
        const page = await open();
        return page.evaluate(() => clicks.listJobs());
      },
    };
  };
};
