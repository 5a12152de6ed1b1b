import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { call, makeTraffic, timedJobs, usePages, withoutBrowser } from "./open-page.ts";

const rows = (page: Page) => page.locator("#journal-table tbody tr");
const news = (page: Page) => page.locator("#journal-news");
const numbers = (page: Page): Promise<string[]> =>
  page.locator("#journal-table tr:not(.details) > td:first-child").allTextContents();

describe.skipIf(withoutBrowser)("the page's journal", () => {
  const open = usePages();

  test("keeps an opened request in its place through 55 requests, and forgets it at last", async () => {
    const { page, service, look, url } = await open({
      service: { ...timedJobs(), journalLimit: 100 },
      prepare: async (fresh) => {
        await makeTraffic(fresh, 2);
        await call(fresh, "POST", "/v1/brands", { name: "Lemonade" });
        await makeTraffic(fresh, 1);
      },
    });
    const entry = page.getByRole("link", { name: "POST /v1/brands" });
    await entry.click();
    const details = page.getByLabel("Request 7, sent and answered");
    await details.getByText('"name": "Lemonade"').first().waitFor();
    expect(await entry.evaluate((link) => link === document.activeElement)).toBe(true);
    await entry.scrollIntoViewIfNeeded();
    const before = await entry.boundingBox();
    await makeTraffic(service, 18);
    await call(service, "GET", "/v1/brands");
    await look();
    await news(page).getByText("55 newer").waitFor();
    expect(await entry.boundingBox()).toEqual(before);
    expect(await details.isVisible()).toBe(true);

    await entry.click();
    await expect.poll(() => details.count()).toBe(0);
    await page.getByRole("link", { name: "Newest" }).click();
    await rows(page).first().getByText("/v1/brands").waitFor();
    expect(await news(page).count()).toBe(0);

    await makeTraffic(service, 40);
    await page.goto(`${url}/__mock/?entry=7`);
    await page.getByText("The journal has no request 7.").waitFor();
    await page.getByText("The journal has forgotten 85 older requests").waitFor();
  });

  test("answers why a 400, how long it took, what it made and what the fault did", async () => {
    const { page, service, look, url } = await open({
      ...timedJobs(),
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const send = (path: string, body?: unknown) =>
      fetch(`${url}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { authorization: "Bearer test-key", "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }).then(
        (response) => response.text(),
        () => undefined,
      );
    await send("/v1/jobs", { action: "nothing", prompt: "It's" });
    await send("/v1/jobs", { action: "generate-ad", prompt: "Snow" });
    service.faults.play({ kind: "reset", accepted: true });
    await send("/v1/brands", { name: "Lost" });
    await look();

    const row = (text: string) => rows(page).filter({ hasText: text });
    await row("Invalid action. Supported: copy-ad").getByText("400", { exact: true }).waitFor();
    expect(await row("Invalid action").locator("td").nth(4).textContent()).toMatch(/^[\d.]+ m?s$/);
    await row("fault: reset, carried out").getByText("none").waitFor();
    const [job] = service.jobs.all;
    const ofJob = row(job?.job_id ?? "none").getByRole("link", { name: job?.job_id ?? "none" });
    expect(await ofJob.getAttribute("href")).toContain(`job=${job?.job_id}`);

    await row("Invalid action").getByRole("link").click();
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await page.getByText("Copied").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(
      [
        `curl -X POST '${url}/v1/jobs'`,
        "-H 'Authorization: Bearer test-key'",
        "-H 'Content-Type: application/json'",
        String.raw`-d '{"action":"nothing","prompt":"It'\''s"}'`,
      ].join(" \\\n  "),
    );
    const [entry] = service.journal.entries;
    await page.getByText(entry?.requestId ?? "none").waitFor();
  });

  test("opens a request by a click anywhere in its row, unless its text is selected", async () => {
    const { page } = await open({ prepare: (fresh) => makeTraffic(fresh, 1) });
    const row = rows(page).first();
    const details = page.getByLabel("Request 3, sent and answered");
    const reason = row.getByText("Endpoint not found");
    await reason.evaluate((text) => getSelection()?.selectAllChildren(text));
    await reason.dispatchEvent("click");
    expect(new URL(page.url()).search).toBe("");
    await page.evaluate(() => getSelection()?.empty());
    await row.locator("td").last().click();
    await details.waitFor();
    expect(await news(page).count()).toBe(0);
    await details.click();
    expect(await details.isVisible()).toBe(true);
    await row.locator("td").last().click();
    await expect.poll(() => details.count()).toBe(0);
  });

  test("has numbers, and a link to a request that lasts", async () => {
    const { page, service, url, look } = await open({ prepare: (fresh) => makeTraffic(fresh, 20) });
    expect((await numbers(page)).slice(0, 3)).toEqual(["60", "59", "58"]);
    await page.goto(`${url}/__mock/?entry=2`);
    const details = page.getByLabel("Request 2, sent and answered");
    await details.waitFor();
    expect(await numbers(page)).toEqual(["2", "1"]);
    await makeTraffic(service, 1);
    await look();
    await news(page).getByText("61 newer").waitFor();
    await page.reload();
    await details.waitFor();
    expect(new URL(page.url()).searchParams.get("entry")).toBe("2");
    expect(await page.locator(".details").count()).toBe(1);
    await page.goto(`${url}/__mock/?entry=99#journal`);
    await page.getByText("The journal has no request 99.").waitFor();
  });

  test("shows an opened request that the filters leave out", async () => {
    const { page, url } = await open({ prepare: (fresh) => makeTraffic(fresh, 2) });
    await page.goto(`${url}/__mock/?entry=2&j-status=2xx`);
    await page.getByLabel("Request 2, sent and answered").waitFor();
    expect(await numbers(page)).toEqual(["2", "1"]);
  });

  test("opens a request by the link of its job, and the browser leads back", async () => {
    const { page, service } = await open({
      prepare: (fresh) => call(fresh, "POST", "/v1/jobs", { action: "generate-ad-copy" }),
    });
    const [job] = service.jobs.all;
    await page.locator(`#job-${job?.job_id}`).getByRole("link").first().click();
    await page.locator("section.job").getByRole("link", { name: "POST /v1/jobs" }).click();
    const details = page.getByLabel("Request 1, sent and answered");
    await details.waitFor();
    await page.goBack();
    await expect.poll(() => details.count()).toBe(0);
    await page.locator("section.job").waitFor();
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
    const status = (name: string) => page.locator("#journal .chips a", { hasText: name });
    const counts = () => page.locator("#journal .chips .count").allTextContents();
    expect(await counts()).toEqual(["123", "41", "80", "1", "1"]);

    await status("4xx").click();
    await page.getByText("55 more").waitFor();
    expect(await status("4xx").getAttribute("aria-current")).toBe("true");
    expect(await rows(page).locator(".status").allTextContents()).not.toContain("200");
    await expect.poll(counts).toEqual(["123", "41", "80", "1", "1"]);

    const filters = page.getByRole("search", { name: "Filter the requests" });
    await filters.getByLabel("Call").selectOption("jobs.submit");
    await page.getByText("15 more").waitFor();
    await expect.poll(counts).toEqual(["40", "0", "40", "0", "0"]);
    await page.reload();
    await page.getByText("15 more").waitFor();
    expect(await filters.getByLabel("Call").inputValue()).toBe("jobs.submit");

    await filters.getByLabel("Call").selectOption("");
    await page.getByText("55 more").waitFor();
    await status("All").click();
    await page.getByText("98 more").waitFor();
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

  test("is read page by page, stands still meanwhile, and goes on", async () => {
    const { page, service, look } = await open({ prepare: (fresh) => makeTraffic(fresh, 20) });
    const from = (first: number, length: number): string[] =>
      Array.from({ length }, (_, index) => String(first - index));
    await page.getByRole("link", { name: "Older" }).click();
    await page.getByText("10 more").waitFor();
    expect(await numbers(page)).toEqual(from(35, 25));
    await makeTraffic(service, 1);
    await look();
    await news(page).getByText("28 newer").waitFor();
    expect((await numbers(page))[0]).toBe("35");
    await page.getByRole("link", { name: "Older" }).click();
    await expect.poll(() => numbers(page)).toEqual(from(10, 10));
    await page.getByRole("link", { name: "Newest" }).click();
    await expect.poll(() => numbers(page)).toEqual(from(63, 25));
    await page.getByRole("link", { name: "Older" }).click();
    await news(page).waitFor();
    service.reset();
    await makeTraffic(service, 1);
    await look();
    await expect.poll(() => numbers(page)).toEqual(from(66, 3));
  });
});
