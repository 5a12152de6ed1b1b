import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { usePages, withoutBrowser } from "./open-page.ts";
import { call, makeTraffic, submit } from "./services.ts";

const rows = (page: Page) => page.locator("#journal-table tbody tr");
const detailsOf = (page: Page, number: number) =>
  page.getByLabel(`Request ${number}, sent and answered`);

describe.skipIf(withoutBrowser)("the page's journal", () => {
  const open = usePages();

  test("keeps an opened request through 55 requests, and a page of older ones", async () => {
    const { page, service, look } = await open({
      prepare: async (fresh) => {
        await makeTraffic(fresh, 2);
        await call(fresh, "POST", "/v1/brands", { name: "Lemonade" });
        await makeTraffic(fresh, 1);
      },
    });
    const entry = page.getByRole("link", { name: "POST /v1/brands" });
    await entry.click();
    const details = detailsOf(page, 7);
    await details.getByText('"name": "Lemonade"').first().waitFor();
    await details.scrollIntoViewIfNeeded();
    const before = await details.boundingBox();
    await makeTraffic(service, 18);
    await call(service, "GET", "/v1/brands");
    await look();
    await rows(page).first().getByText("/v1/brands").waitFor();
    expect(await details.boundingBox()).toEqual(before);

    await details.getByRole("link", { name: "Close" }).click();
    await expect.poll(() => details.count()).toBe(0);
    await page.getByRole("link", { name: "Older" }).click();
    await page.getByRole("link", { name: "Newest" }).waitFor();
    await page.getByText("25 of 65").waitFor();
    const first = await rows(page).first().innerText();
    await call(service, "GET", "/v1/brands");
    await look();
    await page.getByText("25 of 66").waitFor();
    expect(await rows(page).first().innerText()).toBe(first);
    await page.getByRole("link", { name: "Newest" }).click();
    await rows(page).first().getByText("/v1/brands").waitFor();
    expect(await page.getByRole("link", { name: "Newest" }).count()).toBe(0);

    // From a request to its job, to the request again, and back.
    const id = await submit(service, { action: "generate-ad-copy", promt: "Sale" });
    await look();
    await rows(page).first().getByText("unknown: promt").waitFor();
    await rows(page).first().getByRole("link", { name: id }).click();
    await page.locator("section.job").getByRole("link", { name: "POST /v1/jobs" }).click();
    await detailsOf(page, 67).waitFor();
    await page.goBack();
    await expect.poll(() => detailsOf(page, 67).count()).toBe(0);
    await page.locator("section.job").waitFor();
  });

  test("is read page by page and filtered in place, by fields that the address keeps", async () => {
    const { page } = await open({ prepare: (fresh) => makeTraffic(fresh, 41) });
    await page.getByRole("link", { name: "Older" }).click();
    await page.getByRole("link", { name: "Newest" }).waitFor();
    await page.getByText("25 of 123").waitFor();

    const status = (name: string) => page.locator("#journal .chips a", { hasText: name });
    await status("4xx").click();
    await page.getByText("25 of 82").waitFor();
    expect(await status("4xx").getAttribute("aria-current")).toBe("true");
    const filters = page.getByRole("search", { name: "Filter the requests" });
    await filters.getByLabel("Call").selectOption("jobs.submit");
    await page.getByText("25 of 41").waitFor();
    await page.reload();
    await page.getByText("25 of 41").waitFor();
    expect(await filters.getByLabel("Call").inputValue()).toBe("jobs.submit");
    await filters.getByLabel("Fault").selectOption("met a fault");
    await page.getByText("None of the 123 requests fits the filters.").waitFor();
  });
});
