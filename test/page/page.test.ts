// The page of the mock's server, in Chromium.
import AxeBuilder from "@axe-core/playwright";
import { describe, expect, test } from "vitest";
import { usePages, withoutBrowser } from "./open-page.ts";
import { call, makeTraffic, submit, timedJobs } from "./services.ts";

describe.skipIf(withoutBrowser)("the page", () => {
  const open = usePages();

  test("shows a job that arrives, moves the clock, and ends another by a button", async () => {
    const { page, service } = await open({ service: timedJobs() });
    const first = await submit(service, { action: "generate-ad", prompt: "Summer sale" });
    const second = await submit(service, { action: "edit-ad" });
    await page.locator(`#${second}`).getByRole("button", { name: "fail" }).click();
    await page.locator(`#${second}.failed`).waitFor();
    await page.getByRole("button", { name: "+1 min" }).click();
    await page.getByRole("button", { name: "+10 s" }).click();
    await page.locator(`#${first}.completed img`).waitFor();
    expect(await page.locator("#accounts").innerText()).toMatch(/test-key\s+98\s+100/);
  });

  test("plans a fault and the end of a job by a button, and takes them back", async () => {
    const { page, service } = await open();
    await page.getByRole("button", { name: "503" }).click();
    await page.getByRole("button", { name: "Fail the next job" }).click();
    await expect
      .poll(() => [service.faults.planned.length, service.jobs.planned.length])
      .toEqual([1, 1]);
    await page.getByRole("button", { name: "Cancel" }).first().click();
    await expect.poll(() => service.faults.planned).toEqual([]);
  });

  test("lists requests with their bodies, and keeps an opened one open", async () => {
    const { page, service } = await open();
    await makeTraffic(service, 1);
    const row = page.locator("#requests tr", { hasText: "Invalid action" });
    await row.locator("summary").click();
    await row.getByText('"action": "nothing"').waitFor();
    await call(service, "GET", "/v1/brands");
    await page.locator("#requests tr").nth(3).waitFor();
    expect(await row.getByText('"action": "nothing"').isVisible()).toBe(true);
  });

  test("shows foreign text as it is", async () => {
    const { page, service } = await open();
    const prompt = `<img src=x onerror="document.title='owned'">"'&`;
    await submit(service, { action: "copy-ad", prompt });
    await page.getByText(prompt).first().waitFor();
    expect(await page.title()).toContain("mock");
  });

  test.each([1280, 390])(
    "has no barrier for axe, and no sideways scrolling: %i px",
    async (width) => {
      const { page, service } = await open({ viewport: { width, height: 800 } });
      await makeTraffic(service, 3);
      await submit(service, { action: "generate-ad", prompt: "Summer", variations: 4 });
      await page.locator("#requests tr").first().waitFor();
      await page.locator(".card").waitFor();
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        width,
      );
    },
  );
});
