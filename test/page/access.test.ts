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

const openEverything = async (page: Page): Promise<void> => {
  for (const row of (await page.locator(".entry").all()).slice(0, 3)) await row.click();
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
};

/** In the page: the pairs of text and ground that are too close to each other. */
const findPoorContrast = (): string[] => {
  type Color = [number, number, number, number];
  const parse = (color: string): Color => {
    const [red = 0, green = 0, blue = 0, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
    return [red, green, blue, alpha];
  };
  const over = ([r, g, b, a]: Color, [r2, g2, b2]: Color): Color => [
    r * a + r2 * (1 - a),
    g * a + g2 * (1 - a),
    b * a + b2 * (1 - a),
    1,
  ];
  const groundOf = (element: Element | null): Color => {
    if (element === null) return parse(getComputedStyle(document.body).backgroundColor);
    const own = parse(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, groundOf(element.parentElement));
  };
  const luminance = ([red, green, blue]: Color): number => {
    const [r = 0, g = 0, b = 0] = [red, green, blue].map((channel) => {
      const part = channel / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one: Color, other: Color): number => {
    const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const poor: string[] = [];
  for (const element of document.querySelectorAll("body *")) {
    const style = getComputedStyle(element);
    const ground = groundOf(element);
    const name = `${element.tagName} ${element.className} "${element.textContent?.slice(0, 30)}"`;
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim(),
    );
    if (hasText && !["SCRIPT", "STYLE", "OPTION"].includes(element.tagName)) {
      const found = ratio(over(parse(style.color), ground), ground);
      if (found < 4.5) poor.push(`${found.toFixed(2)} text of ${name}`);
    }
    if (element.matches("input:not([type=checkbox]), select")) {
      const found = ratio(parse(style.borderTopColor), groundOf(element.parentElement));
      if (found < 3) poor.push(`${found.toFixed(2)} edge of ${name}`);
    }
  }
  return poor;
};

describe.skipIf(withoutBrowser)("the page", { timeout: 60_000 }, () => {
  const open = usePages();

  test.each([1280, 390, 320])(
    "has nothing that needs scrolling sideways at %i pixels",
    async (width) => {
      const { page } = await open({
        service: timedJobs(),
        prepare: fillWorld,
        viewport: { width, height: 800 },
      });
      await openEverything(page);
      await page.locator("#journal-rows .details").nth(2).waitFor();
      const wide = await page.evaluate(() =>
        [...document.querySelectorAll("body, body *")]
          .filter((element) => !element.matches(".unseen, .unseen *, .skip"))
          .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
          .map((element) => `${element.tagName}.${element.className}`),
      );
      expect(wide).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        width,
      );
    },
  );

  test.each(["light", "dark"] as const)("can be read in %s", async (colorScheme) => {
    const { page } = await open({ service: timedJobs(), prepare: fillWorld, colorScheme });
    await openEverything(page);
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(ground).toBe(colorScheme === "light" ? "rgb(246, 246, 243)" : "rgb(18, 19, 22)");
    // The cards come in with an animation.
    await page.evaluate(() =>
      Promise.all(document.getAnimations().map(({ finished }) => finished)),
    );
    expect(await page.evaluate(findPoorContrast)).toEqual([]);
  });

  test("has landmarks, one heading above the others, and a name for every control", async () => {
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
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLInputElement>("button, input, select, img, a, summary")]
        .filter((control) => {
          const labels = control.labels && [...control.labels].map((label) => label.textContent);
          const picture = control.matches("img") ? control : control.querySelector("img");
          const names = [control.getAttribute("aria-label"), picture?.getAttribute("alt")];
          return ![...(labels ?? []), ...names, control.textContent].some((name) => name?.trim());
        })
        .map((control) => control.outerHTML),
    );
    expect(nameless).toEqual([]);
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
    await page.keyboard.press("Space");
    await page.getByText('"prompt": "Snow"').waitFor();
    await tabTo(/^Grant credits$/);
    await page.keyboard.press("Enter");
    await tabTo(/^Grant$/);
    await page.keyboard.press("Enter");
    await page.getByText("10 image credits granted to test-key").waitFor();
  });

  test("moves nothing for people who want no motion", async () => {
    const { page } = await open({
      service: timedJobs(),
      prepare: fillWorld,
      reducedMotion: "reduce",
    });
    await page.locator(".card").first().waitFor();
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    const video = await page.locator(".videos img").first().getAttribute("src");
    expect(video).toMatch(/&still$/);
  });
});
