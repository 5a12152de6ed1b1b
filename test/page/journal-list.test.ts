import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { call, makeTraffic, usePages, withoutBrowser } from "./open-page.ts";

const rows = (page: Page) => page.locator("#journal-rows tr");
const news = (page: Page) => page.locator("#journal-news");

describe.skipIf(withoutBrowser)("the list of the page's journal", { timeout: 60_000 }, () => {
  const open = usePages();

  test("is paused, counts what is new, and goes on", async () => {
    const { page, service, look } = await open({ prepare: (fresh) => makeTraffic(fresh, 1) });
    await page.getByRole("button", { name: "Pause" }).click();
    await news(page).getByText("0 new since").waitFor();
    await makeTraffic(service, 2);
    await look();
    await news(page).getByText("6 new since").waitFor();
    expect(await rows(page).count()).toBe(3);
    expect(await page.locator("#journal-count").textContent()).toBe("9");
    await page.getByRole("button", { name: "Go on" }).click();
    await expect.poll(() => rows(page).count()).toBe(9);
  });

  test("filters by status, call, fault, account and text, with true counts", async () => {
    const { page, service } = await open({
      service: { accounts: { "test-key": {}, "test-other": {} } },
      prepare: async (fresh) => {
        await makeTraffic(fresh, 40);
        await call(fresh, "POST", "/v1/brands", { name: "Lemonade" }, "test-other");
        fresh.faults.play({ kind: "html", status: 502 });
        await call(fresh, "GET", "/v1/brands").catch(() => undefined);
        fresh.faults.play({ kind: "reset" });
        await call(fresh, "GET", "/v1/brands").catch(() => undefined);
      },
    });
    const status = (name: string) => page.locator("#journal .classes button", { hasText: name });
    const counts = () => page.locator("#journal .classes .count").allTextContents();
    expect(await counts()).toEqual(["123", "41", "80", "1", "1"]);

    await status("4xx").click();
    await page.getByText("55 more").waitFor();
    expect(await status("4xx").getAttribute("aria-pressed")).toBe("true");
    expect(await rows(page).locator(".status").allTextContents()).not.toContain("200");
    expect(await counts()).toEqual(["123", "41", "80", "1", "1"]);

    const filters = page.getByRole("search", { name: "Filter the requests" });
    await filters.getByLabel("Call").selectOption("jobs.submit");
    await page.getByText("15 more").waitFor();
    expect(await counts()).toEqual(["40", "0", "40", "0", "0"]);
    await page.reload();
    await page.getByText("15 more").waitFor();
    expect(await filters.getByLabel("Call").inputValue()).toBe("jobs.submit");

    await filters.getByLabel("Call").selectOption("");
    await status("All").click();
    await filters.getByLabel("Fault").selectOption("any fault");
    await expect.poll(() => rows(page).count()).toBe(2);
    await filters.getByLabel("Fault").selectOption("");
    await filters.getByLabel("Account").fill("test-other");
    await expect.poll(() => rows(page).count()).toBe(1);
    await filters.getByLabel("Account").fill("");
    await filters.getByLabel("Text").fill("LEMON");
    await expect.poll(() => rows(page).count()).toBe(1);
    await filters.getByLabel("Text").fill("nothing like it");
    await page.getByText("None of the 123 requests fits the filters.").waitFor();
    expect(service.journal.count).toBe(123);
  });

  test("is read page by page, and stands still meanwhile", async () => {
    const { page, service, look } = await open({ prepare: (fresh) => makeTraffic(fresh, 20) });
    const numbers = () =>
      rows(page)
        .locator(".entry")
        .evaluateAll((all) => all.map((entry) => Number.parseInt(entry.id.slice(6), 10)));
    await page.getByRole("button", { name: "Older" }).click();
    await page.getByText("10 more").waitFor();
    expect(await numbers()).toEqual(Array.from({ length: 25 }, (_, index) => 35 - index));
    await makeTraffic(service, 1);
    await look();
    await news(page).getByText("28 new since").waitFor();
    expect((await numbers())[0]).toBe(35);
    await page.getByRole("button", { name: "Older" }).click();
    await expect.poll(numbers).toEqual(Array.from({ length: 10 }, (_, index) => 10 - index));
    await page.getByRole("button", { name: "Newer" }).click();
    await expect.poll(async () => (await numbers())[0]).toBe(35);
  });

  test("goes on when the journal begins anew", async () => {
    const { page, service, look } = await open({ prepare: (fresh) => makeTraffic(fresh, 3) });
    await page.getByRole("button", { name: "Pause" }).click();
    await news(page).waitFor();
    service.reset();
    await makeTraffic(service, 1);
    await look();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await expect.poll(() => rows(page).count()).toBe(3);
  });
});
