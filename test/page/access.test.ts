import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import type { MockService } from "../../mocks/index.ts";
import { call, timedJobs, usePages, withoutBrowser } from "./open-page.ts";

/** Jobs of all kinds in all states, brands, ads, faults, and things with no space in them. */
const fillWorld = async (service: MockService): Promise<void> => {
  const brand = await call(service, "POST", "/v1/brands", {
    name: "Acme".repeat(30),
    colors: ["#0b6e4f", "#f4a259"],
  });
  await call(service, "POST", "/v1/saved-ads", { brand_id: brand.id, headline: "x".repeat(200) });
  const ids: string[] = [];
  for (const action of ["generate-ad", "video-a-2", "generate-ad-copy", "image-a-2", "edit-ad"]) {
    const body = { action, prompt: "y".repeat(300), brand_id: brand.id };
    ids.push((await call(service, "POST", "/v1/jobs", body)).job_id);
  }
  const [picture = "", video = "", copy = "", failed = ""] = ids;
  service.jobs.complete(picture);
  service.jobs.complete(video);
  service.jobs.complete(copy);
  service.jobs.fail(failed, "z".repeat(200));
  await call(service, "GET", `/v1/jobs/${"w".repeat(200)}`);
  await call(service, "POST", "/v1/jobs", { action: "nothing" });
  service.faults.play({ kind: "status", status: 500 });
  await call(service, "GET", "/v1/brands");
  service.faults.play({ kind: "latency", ms: 5 }, { times: 3, operation: "jobs.get" });
};

const openDetails = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });

const openEverything = async (page: Page): Promise<void> => {
  await page.locator(".entry").nth(1).click();
  await page.locator("#journal-table .details").waitFor();
  await openDetails(page);
};

/** Contrast of two colours by WCAG 2; `axe` measures that of texts alone. */
const contrast = (one: readonly number[], other: readonly number[]): number => {
  const [lighter = 0, darker = 0] = [one, other]
    .map((color) =>
      color
        .map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, index) => sum + part * ([0.2126, 0.7152, 0.0722][index] ?? 0), 0),
    )
    .sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
};

const numbersIn = (color: string): number[] =>
  (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);

/** Lists the barriers that axe finds, with their elements. */
const findBarriers = async (
  page: Page,
  options: Parameters<AxeBuilder["options"]>[0] = {},
): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page })
    .options({ ...options, resultTypes: ["violations"] })
    .setLegacyMode()
    .analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
};

describe.skipIf(withoutBrowser)("the page", () => {
  const open = usePages();

  const openFilled = async (width: number): Promise<Page> => {
    const { page } = await open({
      service: timedJobs(),
      prepare: fillWorld,
      viewport: { width, height: 800 },
    });
    await openEverything(page);
    return page;
  };

  const findWide = (page: Page): Promise<string[]> =>
    page.evaluate(() =>
      [...document.querySelectorAll("html, body, body *")]
        .filter((element) => !element.matches(".skip"))
        .filter(
          (element) =>
            element.getBoundingClientRect().right > innerWidth + 1 ||
            (element === document.documentElement && element.scrollWidth > innerWidth),
        )
        .map((element) => `${element.tagName}.${element.className}`),
    );

  test("needs no scrolling sideways at 320 pixels", async () => {
    expect(await findWide(await openFilled(320))).toEqual([]);
  });

  test.each([1280, 390])(
    "needs no scrolling sideways at %i pixels, and has no barrier for axe in light or dark",
    async (width) => {
      const page = await openFilled(width);
      expect(await findWide(page)).toEqual([]);
      const ground = (): Promise<string> =>
        page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(await ground()).toBe("rgb(246, 246, 243)");
      expect(await findBarriers(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await ground()).toBe("rgb(18, 19, 22)");
      // Colours are all that differs in the dark.
      const colors: Parameters<AxeBuilder["options"]>[0] = {
        runOnly: { type: "rule", values: ["color-contrast"] },
      };
      expect(await findBarriers(page, colors)).toEqual([]);
    },
  );

  test("leaves a phone's screen to the jobs: the header takes a quarter, and half of that stays", async () => {
    const { page } = await open({
      service: timedJobs(),
      prepare: fillWorld,
      viewport: { width: 390, height: 844 },
    });
    const bottom = () =>
      page.locator("header").evaluate((header) => header.getBoundingClientRect().bottom);
    expect(await bottom()).toBeLessThan(844 / 4);
    await page.evaluate(() => scrollTo(0, 2_000));
    await expect.poll(bottom).toBeLessThan(844 / 6);
  });

  test("has landmarks, one heading above the others, and no id twice", async () => {
    const { page } = await open({ service: timedJobs(), prepare: fillWorld });
    await openEverything(page);
    for (const name of ["banner", "main", "contentinfo"] as const) {
      expect(await page.getByRole(name).count()).toBe(1);
    }
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    for (const name of ["Jobs", "Journal", "Accounts", "Faults", "Brands", "Saved ads"]) {
      expect(await page.getByRole("region", { name: new RegExp(`^${name} \\d+$`) }).count()).toBe(
        1,
      );
    }
    const ids = await page.evaluate(() =>
      [...document.querySelectorAll("[id]")].map(({ id }) => id),
    );
    expect(ids).toHaveLength(new Set(ids).size);
  });

  test("is used with the keyboard alone: to a job, to its button, to its end", async () => {
    const { page, service } = await open({
      service: timedJobs(),
      prepare: (fresh) => call(fresh, "POST", "/v1/jobs", { action: "image-a-2", prompt: "Snow" }),
    });
    const focused = (): Promise<string> =>
      page.evaluate(() => {
        const element = document.activeElement;
        return element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? "";
      });
    const outlined = (): Promise<boolean> =>
      page.evaluate(() => {
        const element = document.activeElement;
        return element !== null && getComputedStyle(element).outlineStyle !== "none";
      });
    const tabTo = async (name: RegExp): Promise<void> => {
      for (let presses = 0; presses < 60; presses += 1) {
        if (name.test(await focused())) return;
        await page.keyboard.press("Tab");
        expect(await outlined()).toBe(true);
      }
      throw new Error(`The Tab key does not reach ${name}; it ended at ${await focused()}`);
    };

    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to the jobs");
    await page.keyboard.press("Enter");
    await tabTo(/^Fail job_/);
    await page.keyboard.press("Enter");
    await page.locator("#finished .card.failed").waitFor();
    expect(service.jobs.all[0]?.status).toBe("failed");
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("card failed");

    await tabTo(/^▸?\s*POST \/v1\/jobs|^POST/);
    await page.keyboard.press("Enter");
    await page.getByText('"prompt": "Snow"').waitFor();
    await tabTo(/^Grant credits$/);
    await page.keyboard.press("Enter");
    await tabTo(/^Grant$/);
    await page.keyboard.press("Enter");
    await page.getByText("Credits are granted to test-key").waitFor();
  });

  test("has no barrier on the page of one job, and beside a chosen account", async () => {
    const { page, service, url } = await open({
      service: { ...timedJobs(), accounts: { "test-key": {}, "test-other": {} } },
      prepare: fillWorld,
    });
    const ids = service.jobs.all.map(({ job_id }) => job_id);
    for (const id of ids) {
      await page.goto(`${url}/__mock/?job=${id}&account=test-key`);
      await openDetails(page);
      expect(await findBarriers(page)).toEqual([]);
      expect(await findWide(page)).toEqual([]);
    }
  });

  test("has fields whose borders stand out from what is around them, in light and in dark", async () => {
    const { page } = await open();
    await openDetails(page);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const pairs = await page.evaluate(() => {
        const groundOf = (element: Element | null): string => {
          if (element === null) return "rgb(255, 255, 255)";
          const { backgroundColor } = getComputedStyle(element);
          const isClear = backgroundColor === "rgba(0, 0, 0, 0)";
          return isClear ? groundOf(element.parentElement) : backgroundColor;
        };
        return [...document.querySelectorAll("input:not([type=file], [type=checkbox]), select")]
          .filter((field) => field.getClientRects().length > 0)
          .map((field) => [getComputedStyle(field).borderTopColor, groundOf(field.parentElement)]);
      });
      expect(pairs.length).toBeGreaterThan(15);
      const weak = pairs.filter(
        ([border = "", ground = ""]) => contrast(numbersIn(border), numbersIn(ground)) < 3,
      );
      expect(weak, colorScheme).toEqual([]);
    }
  });
});
