import { describe, expect, test } from "vitest";
import { call, usePages, withoutBrowser } from "./open-page.ts";

const keys = Array.from({ length: 120 }, (_, index) => `test-${index + 1}`);

const many = () => ({ service: { accounts: Object.fromEntries(keys.map((key) => [key, {}])) } });

describe.skipIf(withoutBrowser)("120 accounts on the page", () => {
  const open = usePages();

  test("are counted, found by a part of their key, and opened one at a time", async () => {
    const { page, service } = await open(many());
    service.account("test-87").setCredits("image", { monthly: 7, purchased: 80 });
    const accounts = page.locator("#accounts");
    expect(await page.locator("#accounts-count").innerText()).toBe("120");
    await accounts.getByText("112 more: type a part of the key.").waitFor();
    await accounts.getByLabel("Find", { exact: true }).fill("87");
    await accounts.getByRole("row", { name: "test-87 87 100 0 0" }).waitFor();
    expect(await accounts.getByRole("row").count()).toBe(2);
    await accounts.getByRole("link", { name: "test-87" }).click();
    await page.getByRole("article", { name: "test-87" }).waitFor();
    await accounts.getByRole("row", { name: "image 7 80 87" }).waitFor();
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({ account: "test-87", accounts: "87" });
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(3_000);
  });

  test("submit jobs, any of them", async () => {
    const { page, service } = await open(many());
    await page.locator("#new-job-account").fill("test-119");
    await page.getByRole("button", { name: "Submit job" }).click();
    await page.locator("#queued .card", { hasText: "test-119" }).waitFor();
    expect(service.account("test-119").jobs.count).toBe(1);
  });

  test("own brands, of which the rest is counted", async () => {
    const { page } = await open({
      ...many(),
      prepare: async (service) => {
        for (const key of keys.slice(0, 37)) {
          await call(service, "POST", "/v1/brands", { name: `Brand of ${key}` }, key);
        }
      },
    });
    expect(await page.locator("#brands-count").innerText()).toBe("37");
    expect(await page.locator("#brands-list > li").count()).toBe(12);
    await page.getByText("25 more: choose an account, or GET /v1/brands.").waitFor();
    await page.getByRole("link", { name: "test-7", exact: true }).click();
    await page.locator("#brands-count", { hasText: /^1$/ }).waitFor();
    expect(await page.locator("#brands-list strong").allInnerTexts()).toEqual(["Brand of test-7"]);
  });

  test("grow by one, which gets the credits and the brand that a person gives it", async () => {
    const { page, service } = await open(many());
    await page.getByText("Add an account").click();
    const form = page.getByRole("form", { name: "Add an account" });
    await form.getByLabel("Key").fill("test-new");
    await form.getByLabel("Image credits").fill("5");
    await form.getByRole("button", { name: "Add account" }).click();
    await page.getByText("The account is added").waitFor();
    const { image, video } = service.account("test-new").credits;
    expect([image.monthly, video.monthly]).toEqual([5, 100]);

    await page.locator("#accounts").getByLabel("Find", { exact: true }).fill("new");
    await page.getByRole("link", { name: "test-new" }).click();
    await page.getByText("Create a brand").click();
    const brand = page.getByRole("form", { name: "Create a brand of test-new" });
    await brand.getByLabel("Name").fill("Zebra");
    await brand.getByRole("button", { name: "Create brand" }).click();
    await page.locator("#brands-list", { hasText: "Zebra" }).waitFor();
    expect(service.account("test-new").brands).toMatchObject([{ name: "Zebra" }]);
  });

  test("are removed when the question is answered with yes", async () => {
    const { page, service, questions } = await open(many());
    await page.getByRole("link", { name: "test-2", exact: true }).click();
    const remove = page.getByRole("button", { name: "Remove test-2" });
    questions.isYes = false;
    await remove.click();
    expect(questions.asked).toEqual(["Remove test-2 with its jobs, brands and ads?"]);
    expect(service.accounts).toHaveLength(120);
    questions.isYes = true;
    await remove.click();
    await page.locator("#accounts-count", { hasText: "119" }).waitFor();
    expect(service.accounts.map(({ key }) => key)).not.toContain("test-2");
    expect(await page.getByRole("article", { name: "test-2" }).count()).toBe(0);
  });

  test("stand in the order of what they have spent", async () => {
    const { page, service } = await open({
      service: { ...many().service, refundFailedJobs: true },
      prepare: async (fresh) => {
        const submit = (action: string, variations: number, key: string) =>
          call(fresh, "POST", "/v1/jobs", { action, variations }, key);
        await submit("generate-ad", 2, "test-40");
        await submit("generate-ad", 7, "test-90");
        const { job_id } = await submit("generate-ad", 9, "test-50");
        fresh.jobs.fail(job_id);
      },
    });
    const rows = page.locator("#accounts-table tbody tr");
    expect(await rows.nth(0).innerText()).toMatch(/^test-90\s+93\s+100\s+7\s+1$/);
    expect(await rows.nth(1).innerText()).toMatch(/^test-40\s+98\s+100\s+2\s+1$/);
    await call(service, "POST", "/v1/jobs", { action: "generate-ad", variations: 8 }, "test-120");
    await rows.nth(0).getByText("test-120").waitFor();
  });
});
