// The example of a page, clicked through as a visitor would.
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Example, startExample } from "../../examples/web/start.ts";
import { useBrowser, withoutBrowser } from "./open-page.ts";

// The page is built from the sources, as the tests are.
const resolve = { tsconfigPaths: true };
const apiKey = "test-key-that-no-page-may-see";

// Hono's server puts its own in their place.
const { Request, Response } = globalThis;
afterAll(() => void Object.assign(globalThis, { Request, Response }));

describe.skipIf(withoutBrowser)("the example of a page", () => {
  const { launched, cleanups } = useBrowser();
  let example: Example;
  beforeAll(async () => {
    example = await startExample({ apiKey, resolve });
  });
  afterAll(() => example?.close());

  /** Opens a browser of its own for a person, and notes everything that reaches its page. */
  const signIn = async (name: string, url = example.url) => {
    const context = await launched().newContext({ reducedMotion: "reduce" });
    cleanups.push(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const received: Promise<string>[] = [];
    page.on("requestfinished", (request) => {
      const read = async (): Promise<string> => {
        const response = await request.response();
        const head = JSON.stringify([request.url(), request.headers(), response?.headers()]);
        return `${head} ${await response?.text()}`;
      };
      // The body of an earlier page is gone after a reload.
      received.push(read().catch(() => ""));
    });
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    cleanups.push(() => expect(errors).toEqual([]));
    await page.goto(url);
    await page.getByRole("button", { name }).click();
    await page.getByText("Nothing here yet").waitFor();
    return { page, received };
  };

  const order = async (page: Page, prompt: string, pictures: number): Promise<void> => {
    await page.getByLabel("What should it show?").fill(prompt);
    await page.getByLabel("How many?").fill(`${pictures}`);
    await page.getByRole("button", { name: `Make it for ${pictures} credit` }).click();
  };

  const cardOf = (page: Page, prompt: string) =>
    page.getByRole("listitem").filter({ hasText: prompt });

  const figuresOf = (page: Page): Promise<string[]> => page.locator(".figure dd").allInnerTexts();

  /** Orders pictures that are soon ready, and waits for the last of them. */
  const orderLemonade = async (page: Page, pictures: number): Promise<void> => {
    await order(page, "Lemonade", pictures);
    const lemonade = cardOf(page, "Lemonade");
    await lemonade.getByText("Ready").waitFor();
    const last = lemonade.getByRole("img").nth(pictures - 1);
    await expect.poll(() => last.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1080);
  };

  test("shows a person their jobs alone, the key to nobody, and a job whose answer got lost", async () => {
    const { mock } = example;
    for (const [prompt, takesMs] of [
      ["Lemonade", 300],
      ["Iced tea", 600_000],
      ["Ginger beer", 600_000],
    ] as const) {
      mock?.service.jobs.next({ takesMs }, { body: { prompt } });
    }
    const mara = await signIn("Mara");
    const { page } = mara;

    await orderLemonade(page, 2);
    await expect
      .poll(() => figuresOf(page))
      .toEqual([...["1 of 20", "2 of 20", "0 of 30 s", "58 left", "50 left"]]);

    // A job has an estimate. A reload in the middle of it finds it again.
    await order(page, "Iced tea", 1);
    const tea = cardOf(page, "Iced tea");
    await tea.getByText(/^(about \d+ s left|any moment now)$/).waitFor();
    await page.reload();
    await tea.getByRole("progressbar").waitFor();
    const job = mock?.service.jobs.all.find(({ status }) => status !== "completed");
    mock?.service.jobs.complete(`${job?.job_id}`);
    const seesEnd = async (): Promise<boolean> => {
      // As when a visitor comes back to the tab: the page then polls at once.
      await page.evaluate(() => void document.dispatchEvent(new Event("visibilitychange")));
      return tea.getByText("Ready").isVisible();
    };
    await expect.poll(seesEnd).toBe(true);

    // The limit is told in words, and nothing is charged.
    await order(page, "Ginger beer", 10);
    await cardOf(page, "Ginger beer").waitFor();
    await order(page, "Root beer", 8);
    await page.getByRole("alert").getByText("20 image credits in a day").waitFor();
    await expect.poll(() => figuresOf(page)).toContain("13 of 20");
    mock?.service.account(apiKey).assertCharges([{ amount: 2 }, { amount: 1 }, { amount: 10 }]);

    // Everything that came to the pages, and all that is in them.
    const jonas = await signIn("Jonas");
    const seenBy = async ({ page, received }: typeof mara): Promise<string> => {
      const stores = () => JSON.stringify([document.cookie, localStorage, sessionStorage]);
      const seen = [...(await Promise.all(received)), await page.content()];
      return [...seen, await page.evaluate(stores)].join("\n");
    };
    const [byMara, byJonas] = [await seenBy(mara), await seenBy(jonas)];
    for (const text of [byMara, byJonas]) expect(text).not.toContain(apiKey);
    for (const { job_id: id } of mock?.service.jobs.all ?? []) {
      expect([byMara.includes(id), byJonas.includes(id)]).toEqual([true, false]);
    }
    expect(byJonas).not.toContain("Lemonade");

    // The job of an answer that gets lost is found, and paid once.
    const { page: lost } = jonas;
    const before = mock?.service.account(apiKey).charges ?? [];
    await lost.getByText("See what goes wrong").click();
    await lost.getByRole("button", { name: "A lost answer" }).click();
    await lost.getByRole("button", { name: "Make it for 2 credits" }).click();
    await lost.getByText("We looked for the job, and found it.").waitFor();
    await cardOf(lost, "A lemon in a message in a bottle").getByRole("progressbar").waitFor();
    mock?.service.account(apiKey).assertCharges([...before, { amount: 2 }]);
  });

  test("runs entirely in the page", async () => {
    const { url, close, mock } = await startExample({ inPage: true, resolve });
    cleanups.push(close);
    expect(mock).toBeUndefined();
    const { page } = await signIn("Jonas", url);
    await orderLemonade(page, 1);
    await expect.poll(() => figuresOf(page)).toContain("59 left");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Mara" }).click();
    await page.getByText("Nothing here yet").waitFor();
  });
});
