import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import type { MockService } from "../../mocks/index.ts";
import { usePages, withoutBrowser } from "./open-page.ts";
import { call, submit, timedJobs } from "./services.ts";

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
    ids.push(await submit(service, body));
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

/** Lists the barriers that axe finds in a part of the page, with their elements. */
const findBarriers = async (
  page: Page,
  { part = "html", ...options }: Parameters<AxeBuilder["options"]>[0] & { part?: string } = {},
): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page })
    .include(part)
    .options({ ...options, resultTypes: ["violations"] })
    .setLegacyMode()
    .analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
};

/** Lists the elements that reach beyond the right edge of the window. */
const findWide = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll("html, body, body *")]
      // The line of sections scrolls sideways on a phone, within the window.
      .filter((element) => !element.matches(".skip, #navigation *"))
      .filter(
        (element) =>
          element.getBoundingClientRect().right > innerWidth + 1 ||
          (element === document.documentElement && element.scrollWidth > innerWidth),
      )
      .map((element) => `${element.tagName}.${element.className}`),
  );

describe.skipIf(withoutBrowser)("the page", () => {
  const open = usePages();

  test("has no barrier for axe, weak border or sideways scrolling, on a desk and on a phone", async () => {
    const { page, service, url } = await open({
      service: { ...timedJobs(), accounts: { "test-key": {}, "test-other": {} } },
      prepare: fillWorld,
    });
    await page.goto(`${url}/__mock/?account=test-key`);
    await page.locator(".entry").nth(1).click();
    await page.getByRole("article", { name: /^Request \d+, sent and answered$/ }).waitFor();
    for (const name of ["banner", "main", "contentinfo"] as const) {
      expect(await page.getByRole(name).count()).toBe(1);
    }
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    for (const name of ["Jobs", "Journal", "Accounts", "Faults", "Brands", "Saved ads"]) {
      const region = page.getByRole("region", { name: new RegExp(`^${name} \\d+$`) });
      expect(await region.count()).toBe(1);
    }
    const ids = await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id));
    expect(ids).toHaveLength(new Set(ids).size);

    await openDetails(page);
    expect(await findWide(page)).toEqual([]);
    expect(await findBarriers(page)).toEqual([]);
    for (const [colorScheme, ground] of [
      ["light", "rgb(246, 246, 243)"],
      ["dark", "rgb(18, 19, 22)"],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      const backgroundColor = await page.evaluate(
        () => getComputedStyle(document.body).backgroundColor,
      );
      expect(backgroundColor).toBe(ground);
    }
    // Colours are all that differs in the dark.
    expect(await findBarriers(page, { runOnly: ["color-contrast"] })).toEqual([]);

    await page.emulateMedia({ colorScheme: "light" });
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await findWide(page), `at ${width} pixels`).toEqual([]);
      const covered = await page.evaluate(() => {
        scrollTo(0, 2_000);
        const bars = [...document.querySelectorAll("header, header .bar")];
        return Math.max(...bars.map((bar) => bar.getBoundingClientRect().bottom));
      });
      expect(covered).toBeGreaterThan(20);
      expect(covered).toBeLessThanOrEqual(84);
    }
    expect(await findBarriers(page)).toEqual([]);
    // The pages of one job.
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const [index, { job_id: id }] of service.jobs.all.entries()) {
      await page.goto(`${url}/__mock/?job=${id}&account=test-key`);
      await openDetails(page);
      // The rest of the page is the same for all.
      expect(await findBarriers(page, { part: index === 0 ? "html" : "#jobs" })).toEqual([]);
      expect(await findWide(page)).toEqual([]);
    }
  });

  test("is used with the keyboard alone: to a job, to its button, to its end", async () => {
    const { page, service } = await open({
      service: timedJobs(),
      prepare: (fresh) => call(fresh, "POST", "/v1/jobs", { action: "image-a-2", prompt: "Snow" }),
    });
    const focused = page.locator(":focus");
    const nameOf = (element: Element): string =>
      element.getAttribute("aria-label") ?? element.textContent.trim();
    const tabTo = async (name: RegExp): Promise<void> => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press("Tab");
        const outline = await focused.evaluate((element) => getComputedStyle(element).outlineStyle);
        expect(outline).not.toBe("none");
        if (name.test(await focused.evaluate(nameOf))) return;
      }
      throw new Error(`The Tab key does not reach ${name}`);
    };

    await page.keyboard.press("Tab");
    expect(await focused.evaluate(nameOf)).toBe("Skip to the jobs");
    await page.keyboard.press("Enter");
    await tabTo(/^Fail job_/);
    await page.keyboard.press("Enter");
    await page.locator("#failed .card").waitFor();
    expect(service.jobs.all[0]?.status).toBe("failed");
    expect(await focused.getAttribute("class")).toBe("card failed");

    await tabTo(/^POST \/v1\/jobs$/);
    await page.keyboard.press("Enter");
    await page.getByText('"prompt": "Snow"').waitFor();
    await tabTo(/^Grant credits$/);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.type("5");
    await tabTo(/^Grant$/);
    await page.keyboard.press("Enter");
    await page.getByText("Done: Grant").waitFor();
  });
});
