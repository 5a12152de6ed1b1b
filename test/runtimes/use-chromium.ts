import type { Page } from "playwright";
import { afterAll, beforeAll } from "vitest";
import { useBrowser } from "../page/open-page.ts";
import type { Clicks } from "./click-in-page.ts";
import { closeServers } from "./loopback-server.ts";
import { bundleForPage } from "./programs.ts";

/** Set by click-in-page.ts. */
declare const clicks: Clicks;

/** Playwright's `ignoreHTTPSErrors` breaks every connection once before it accepts it. */
const acceptCertificate = "--ignore-certificate-errors";

/** How submissions ended, as a page learned it. */
export interface Submitted {
  /** Id of the job, or the error's code and outcome, by prompt. */
  readonly ends: Readonly<Record<string, string>>;
  /** Ids of the jobs that the person sees afterwards. */
  readonly listed: readonly string[];
}

/** Starts Chromium for the tests of a file: each person has cookies of its own. */
export const useChromium = () => {
  const { launched } = useBrowser(acceptCertificate);
  let script: string;
  beforeAll(async () => {
    script = await bundleForPage("click-in-page.ts");
  });
  afterAll(closeServers);

  /** Gives the tabs of one person, who has signed in at an app. */
  return async (app: string, user: string) => {
    const context = await launched().newContext();
    // `SameSite=None` is the worst case, because pages of other sites send the cookie, too.
    const cookie = { name: "user", value: user, sameSite: "None", secure: true } as const;
    await context.addCookies([{ ...cookie, url: app.replace("http:", "https:") }]);
    /** Opens a page in a new tab, by default the app's, and waits until it is ready for clicks. */
    const open = async (url = app): Promise<Page> => {
      const page = await context.newPage();
      await page.goto(url);
      await page.evaluate(script);
      return page;
    };
    return {
      open,
      /** Submits a job for each prompt in a tab of its own, which then lists the person's jobs. */
      async submitAll(prompts: readonly string[]): Promise<Submitted> {
        const page = await open();
        const told = await page.evaluate((all) => clicks.submitAll(all), prompts);
        const ends = prompts.map((prompt, index) => [prompt, told[index] ?? ""]);
        const listed = await page.evaluate(() => clicks.listJobs());
        return { ends: Object.fromEntries(ends), listed };
      },
      /** Lists the ids of the jobs that a new tab shows. */
      listJobs: async () => (await open()).evaluate(() => clicks.listJobs()),
    };
  };
};
