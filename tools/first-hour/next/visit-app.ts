import type { MockAccount } from "adgen-sdk/mocks";
import type { MockServer } from "adgen-sdk/mocks/server";
import type { Browser, BrowserContext, Page } from "playwright";
import type { Place } from "../setting.ts";
import type { ResettingRelay } from "./resetting-relay.ts";

/** The running app, and all around it. */
export interface Scene {
  readonly check: Place["check"];
  readonly browser: Browser;
  /** Between the browser and the app. */
  readonly relay: ResettingRelay;
  readonly service: MockServer["service"];
  /** The app's account at the service. */
  readonly account: MockAccount;
}

/** Time for one step in the browser, in milliseconds. In development, Next.js builds meanwhile. */
const longestMs = 120_000;

/** Collects what all pages of a browser send and get, with all headers, and the pages' errors. */
const watchTraffic = (context: BrowserContext) => {
  const texts: Promise<string>[] = [];
  const errors: string[] = [];
  context.on("response", (response) => {
    const read = async (): Promise<string> => {
      const request = response.request();
      const heads = [await request.allHeaders(), await response.allHeaders()];
      // A redirect, or an answer that was cut off, has no body to read.
      const body = await response.text().catch(() => "");
      return `${request.url()} ${request.postData() ?? ""} ${JSON.stringify(heads)} ${body}`;
    };
    texts.push(read().catch(() => ""));
  });
  context.on("weberror", (error) => errors.push(String(error.error())));
  context.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  return { texts: () => Promise.all(texts), errors };
};

/** Opens the app in a browser of its own. */
export const visit = async ({ browser, relay }: Scene, options = {}) => {
  const context = await browser.newContext({ baseURL: relay.url, ...options });
  context.setDefaultTimeout(longestMs);
  const traffic = watchTraffic(context);
  const page = await context.newPage();
  await page.goto("/");
  return { context, page, traffic };
};

/** One browser, at the app. */
export type Visit = Awaited<ReturnType<typeof visit>>;

/** Signs a person in. */
export const signIn = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("button", { name }).click();
  await page.getByRole("button", { name: "Sign out" }).waitFor();
};

/** Fills in the form, and sends it. */
export const order = async (page: Page, prompt: string, variations: number): Promise<void> => {
  await page.getByLabel("Your ad").fill(prompt);
  await page.getByLabel("Pictures").selectOption(String(variations));
  await page.getByRole("button", { name: "Order" }).click();
};

/** Finds the card of a job. */
export const card = (page: Page, jobId: string) => page.locator(`[data-job="${jobId}"]`);

/** Gives the id of the job that the service got last. */
export const newestJob = ({ account }: Scene): string => account.jobs.latest(1)[0]?.job_id ?? "";
