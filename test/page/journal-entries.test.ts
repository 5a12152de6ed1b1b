import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { call, makeTraffic, timedJobs, usePages, withoutBrowser } from "./open-page.ts";

const rows = (page: Page) => page.locator("#journal-rows tr");
const news = (page: Page) => page.locator("#journal-news");

describe.skipIf(withoutBrowser)("an entry of the page's journal", { timeout: 60_000 }, () => {
  const open = usePages();

  const openedEntry = async (journalLimit: number) => {
    const opened = await open({
      service: { ...timedJobs(), journalLimit },
      prepare: async (fresh) => {
        await makeTraffic(fresh, 2);
        await call(fresh, "POST", "/v1/brands", { name: "Lemonade" });
        await makeTraffic(fresh, 1);
      },
    });
    const { page } = opened;
    const entry = page.getByRole("button", { name: "POST /v1/brands" });
    await entry.click();
    const details = page.getByLabel("Request 7, sent and answered");
    await details.getByText('"name": "Lemonade"').first().waitFor();
    await entry.scrollIntoViewIfNeeded();
    const top = async (): Promise<number | undefined> => (await entry.boundingBox())?.y;
    return { ...opened, entry, details, top };
  };

  test("keeps an opened entry in its place through 55 requests", async () => {
    const { page, service, look, entry, details, top } = await openedEntry(1_000);
    const before = await top();
    await makeTraffic(service, 18);
    await call(service, "GET", "/v1/brands");
    await look();
    await news(page).getByText("55 new since").waitFor();
    expect(await top()).toBe(before);
    expect(await details.isVisible()).toBe(true);

    await entry.click();
    await rows(page).first().getByText("/v1/brands").waitFor();
    expect(await news(page).count()).toBe(0);
    expect(await details.count()).toBe(0);
  });

  test("keeps an opened entry that the journal has forgotten, and says so", async () => {
    const { page, service, look, entry, details } = await openedEntry(20);
    await makeTraffic(service, 20);
    await look();
    await details.getByText("The journal has forgotten this request since.").waitFor();
    expect(await details.getByText('"name": "Lemonade"').count()).toBe(2);
    await page.getByText("The journal has forgotten 50 older requests").waitFor();
    await page.getByRole("button", { name: "Go on" }).click();
    await page.locator("#journal-pause", { hasText: "Pause" }).waitFor();
    expect(await details.isVisible()).toBe(true);
    await entry.click();
    await expect.poll(() => details.count()).toBe(0);
  });

  test("holds opened entries above the list once it goes on", async () => {
    const { page, service, look, entry, details, top } = await openedEntry(1_000);
    await page.getByRole("button", { name: "Go on" }).click();
    await page.locator("#pinned-rows .details").waitFor();
    const before = await top();
    await makeTraffic(service, 20);
    await look();
    await rows(page).first().getByText("/v1/nowhere").waitFor();
    expect(await top()).toBe(before);
    expect(await details.isVisible()).toBe(true);
    await entry.click();
    await expect.poll(() => page.locator("#pinned-rows tr").count()).toBe(0);
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
    expect(await row("Invalid action").locator(".took").textContent()).toMatch(/^[\d.]+ m?s$/);
    await row("fault: reset, carried out").getByText("none").waitFor();
    const [job] = service.jobs.all;
    expect(
      await row(job?.job_id ?? "none")
        .getByRole("link")
        .getAttribute("href"),
    ).toContain(`job=${job?.job_id}`);

    await row("Invalid action").getByRole("button").click();
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

  test("opens the entry that the address names", async () => {
    const { page, url } = await open({ prepare: (fresh) => makeTraffic(fresh, 20) });
    await page.goto(`${url}/__mock/?entry=2`);
    await page.getByLabel("Request 2, sent and answered").waitFor();
    const link = page.locator(".details").getByRole("link", { name: "2", exact: true });
    expect(await link.getAttribute("href")).toContain("?entry=2#journal");
    expect(await page.locator(".details").count()).toBe(1);
    await page.locator("#pinned-rows .entry").click();
    await expect.poll(() => page.locator(".details").count()).toBe(0);
  });

  test("says that the journal has no entry that the address names", async () => {
    const { page, url, look } = await open({ prepare: (fresh) => makeTraffic(fresh, 2) });
    await page.goto(`${url}/__mock/?entry=99#journal`);
    const words = page.getByText("The journal has no request 99.");
    await words.waitFor();
    await look();
    expect(await words.isVisible()).toBe(true);
  });

  test("is opened by the link of its job, and closed again", async () => {
    const { page, service } = await open({
      prepare: (fresh) => call(fresh, "POST", "/v1/jobs", { action: "generate-ad-copy" }),
    });
    const [job] = service.jobs.all;
    await page.locator(`#job-${job?.job_id}`).getByRole("link").first().click();
    await page.locator("section.job").getByRole("link", { name: "POST /v1/jobs" }).click();
    await page.getByLabel("Request 1, sent and answered").waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.has("entry")).toBe(false);
    await page.locator("#pinned-rows .entry").click();
    await expect.poll(() => page.locator(".details").count()).toBe(0);
    await page.getByRole("link", { name: job?.job_id ?? "none" }).waitFor();
  });

  test("is one stop of the Tab key, and the arrow keys lead through it", async () => {
    const { page } = await open({ prepare: (fresh) => makeTraffic(fresh, 4) });
    expect(await page.locator('.entry[tabindex="0"]').count()).toBe(1);
    await page.locator(".entry").first().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const place = () =>
      page.evaluate(() =>
        [...document.querySelectorAll(".entry")].indexOf(document.activeElement as Element),
      );
    expect(await place()).toBe(2);
    await page.keyboard.press("End");
    expect(await place()).toBe(11);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Home");
    expect(await place()).toBe(0);
  });
});
