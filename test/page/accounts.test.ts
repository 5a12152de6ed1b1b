import { describe, expect, test } from "vitest";
import { call, usePages, withoutBrowser } from "./open-page.ts";

const keys = Array.from({ length: 120 }, (_, index) => `test-${index + 1}`);

const many = () => ({ accounts: Object.fromEntries(keys.map((key) => [key, {}])) });

describe.skipIf(withoutBrowser)("the accounts on the page", () => {
  const open = usePages();

  test("are counted, found by a part of their key, opened one at a time, and submit jobs", async () => {
    const { page, service } = await open({ service: many() });
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

    await page.locator("#new-job-account").fill("test-119");
    await page.getByRole("button", { name: "Submit job" }).click();
    await page.getByText("The job is submitted").waitFor();
    expect(service.account("test-119").jobs.count).toBe(1);
  });

  test("stand in the order of what they have spent, and own brands, of which the rest is counted", async () => {
    const submit = { action: "generate-ad", variations: 8 };
    const { page, service } = await open({
      service: { ...many(), refundFailedJobs: true },
      prepare: async (fresh) => {
        for (const [key, variations] of [
          ["test-40", 2],
          ["test-90", 7],
          ["test-50", 9],
        ] as const) {
          const body = { ...submit, variations };
          const { job_id } = await call(fresh, "POST", "/v1/jobs", body, key);
          if (key === "test-50") fresh.jobs.fail(job_id);
        }
        for (const key of keys.slice(0, 37)) {
          await call(fresh, "POST", "/v1/brands", { name: `Brand of ${key}` }, key);
        }
      },
    });
    const rows = page.locator("#accounts-table tbody tr");
    expect(await rows.nth(0).innerText()).toMatch(/^test-90\s+93\s+100\s+7\s+1$/);
    expect(await rows.nth(1).innerText()).toMatch(/^test-40\s+98\s+100\s+2\s+1$/);
    await call(service, "POST", "/v1/jobs", submit, "test-120");
    await rows.nth(0).getByText("test-120").waitFor();

    expect(await page.locator("#brands-count").innerText()).toBe("37");
    expect(await page.locator("#brands-list > li").count()).toBe(12);
    await page.getByText("25 more: choose an account, or GET /v1/brands.").waitFor();
    await page.getByRole("link", { name: "test-2", exact: true }).click();
    await page.locator("#brands-count", { hasText: /^1$/ }).waitFor();
    expect(await page.locator("#brands-list strong").allInnerTexts()).toEqual(["Brand of test-2"]);
  });

  test("grow by one, which gets the brand that a person gives it, and are removed when asked", async () => {
    const { page, service, questions } = await open({ service: many() });
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

    const remove = page.getByRole("button", { name: "Remove test-new" });
    questions.isYes = false;
    await remove.click();
    expect(questions.asked).toEqual(["Remove test-new with its jobs, brands and ads?"]);
    expect(service.accounts).toHaveLength(121);
    questions.isYes = true;
    await remove.click();
    await page.locator("#accounts-count", { hasText: "120" }).waitFor();
    expect(service.accounts.map(({ key }) => key)).not.toContain("test-new");
    expect(await page.getByRole("article", { name: "test-new" }).count()).toBe(0);
  });

  test("get credits, which their ledger tells, and are reset one by one", async () => {
    const { page, service, questions } = await open({
      service: { accounts: { "test-a": {}, "test-b": {} } },
      prepare: (fresh) => fresh.account("test-b").grant("image", { purchased: 8 }),
    });
    await page.getByRole("link", { name: "test-a" }).click();
    const account = page.getByRole("article", { name: "test-a" });
    await account.getByText("Grant credits").click();
    await account.getByLabel("Kind").selectOption("video");
    await account.getByLabel("Monthly").fill("");
    await account.getByLabel("Purchased").fill("25");
    await account.getByRole("button", { name: "Grant" }).click();
    await account.getByRole("row", { name: "video 100 25 125" }).waitFor();
    await account.getByText("Ledger 3").click();
    await account.getByRole("row", { name: /video grant 0 \+25$/ }).waitFor();
    expect(service.account("test-a").credits.video).toEqual({ monthly: 100, purchased: 25 });

    const reset = page.getByRole("button", { name: "Reset test-a" });
    questions.isYes = false;
    await reset.click();
    expect(questions.asked).toEqual(["Throw away the jobs, brands and ads of test-a?"]);
    expect(service.account("test-a").credits.video.purchased).toBe(25);
    questions.isYes = true;
    await reset.click();
    await page.getByText("test-a is as new").waitFor();
    expect(service.account("test-a").credits.video.purchased).toBe(0);
    expect(service.account("test-b").credits.image.purchased).toBe(8);
  });
});
