// The page of the mock's server, in Chromium.
import AxeBuilder from "@axe-core/playwright";
import { describe, expect, test } from "vitest";
import { usePages, withoutBrowser } from "./open-page.ts";
import { busy, call, makeTraffic, submit, timedJobs } from "./services.ts";

describe.skipIf(withoutBrowser)("the page", () => {
  const open = usePages();

  test("shows a job that arrives, moves the clock, and ends another by a button", async () => {
    const { page, service } = await open({ service: timedJobs() });
    const first = await submit(service, { action: "generate-ad", prompt: "Summer sale" });
    const second = await submit(service, { action: "edit-ad" });
    await page.locator(`#${second}`).getByRole("button", { name: "Fail", exact: true }).click();
    await page.locator(`#${second}.failed`).waitFor();
    await page.getByRole("button", { name: "+1 min" }).click();
    await page.getByRole("button", { name: "+10 s" }).click();
    await page.locator(`#${first}.completed img`).waitFor();
    expect(await page.locator("#accounts").innerText()).toMatch(
      /test-key\s+98 image credits\s+98 monthly\s+100 video credits/,
    );
  });

  test("schedules a fault and the end of a job by a button, and removes them", async () => {
    const { page, service } = await open();
    await page.getByRole("button", { name: "503" }).click();
    await page.getByRole("button", { name: "Fail the next job" }).click();
    await expect
      .poll(() => [service.faults.scheduled.length, service.jobs.scheduled.length])
      .toEqual([1, 1]);
    const scheduled = page.locator("#scheduled");
    await expect
      .poll(() => scheduled.innerText())
      .toMatch(/^The next request: the answer is 503\s+Cancel\s+The next job: it fails, “Gen/);
    await page.getByRole("button", { name: "Cancel" }).first().click();
    await expect.poll(() => service.faults.scheduled).toEqual([]);
  });

  test("lists requests with their bodies, and keeps an opened one open", async () => {
    const { page, service } = await open();
    await makeTraffic(service, 1);
    const row = page.locator("#requests > li", { hasText: "Invalid action" });
    await row.locator("summary").click();
    await row.getByText('"action": "nothing"').waitFor();
    await call(service, "GET", "/v1/brands");
    await page.locator("#requests > li").nth(3).waitFor();
    expect(await row.getByText('"action": "nothing"').isVisible()).toBe(true);
  });

  test("shows foreign text as it is", async () => {
    const { page, service } = await open();
    const prompt = `<img src=x onerror="document.title='owned'">"'&`;
    await submit(service, { action: "copy-ad", prompt });
    await page.getByText(prompt).first().waitFor();
    expect(await page.title()).toContain("mock");
  });

  test("lets a video play on while jobs come and end, and keeps what is open", async () => {
    const { page, service } = await open({ service: timedJobs() });
    const film = await submit(service, { action: "video-a-2" });
    service.jobs.complete(film);
    const video = page.locator(`#${film} video`);
    await video.evaluate((player: HTMLVideoElement) => player.play());
    await page.locator(`#${film} summary`).click();
    service.jobs.complete(await submit(service, { action: "copy-ad" }));
    await page.locator(".card").nth(1).waitFor();
    expect(await video.evaluate((player: HTMLVideoElement) => player.paused)).toBe(false);
    expect(await page.locator(`#${film} pre`).isVisible()).toBe(true);
  });

  test("tells a newcomer the address and the key, and an unknown key apart", async () => {
    const { page, service, url } = await open();
    expect(await page.locator("#first-steps").innerText()).toContain(
      `export ADGEN_BASE_URL=${url}\nexport ADGEN_API_KEY=test-key`,
    );
    await call(service, "GET", "/v1/jobs", undefined, "sk-secret");
    await expect
      .poll(() => page.locator("#requests").innerText())
      .toMatch(/unknown key sk-….{4}[\s\S]*401/);
  });

  test("tells a job's price, what was sent, and why the newest failed one failed", async () => {
    const { page, service } = await open({ service: timedJobs() });
    const prompt = "Summer sale";
    const failed = await submit(service, { action: "generate-ad", prompt, variations: 3 });
    service.jobs.fail(failed, "moderation");
    for (let count = 0; count < 20; count += 1) await submit(service, { action: "edit-ad" });
    await makeTraffic(service, 1);
    await page.getByRole("link", { name: "1 failed" }).click();
    const card = page.locator(`#${failed}`);
    const top = (await card.boundingBox())?.y;
    expect(top).toBeGreaterThan(40);
    expect(top).toBeLessThan(900);
    expect(await card.innerText()).toMatch(/moderation[\s\S]*3 image credits/);
    await card.locator("summary").click();
    await card.getByText('"variations": 3').waitFor();
    await page.getByRole("link", { name: "2 failed" }).click();
    const [target = ""] = await page.locator("li:target").allInnerTexts();
    expect(target).toMatch(/\/v1\/nowhere[\s\S]*404[\s\S]*Endpoint not found/);
  });

  test("says what went wrong with a command", async () => {
    const { page, service } = await open({ service: timedJobs(), tolerate: /400/ });
    const id = await submit(service, { action: "copy-ad" });
    const complete = page.locator(`#${id}`).getByRole("button", { name: "Complete" });
    await complete.waitFor();
    service.jobs.fail(id);
    await complete.click({ noWaitAfter: true });
    await page.getByRole("status").getByText("has already finished").waitFor();
  });

  test.each([
    [1440, "light"],
    [1440, "dark"],
    [390, "light"],
    [390, "dark"],
  ] as const)(
    "has no barrier for axe, and no sideways scrolling: %i px, %s",
    async (width, colorScheme) => {
      const viewport = { width, height: 800 };
      const { page, service } = await open({ ...busy(), viewport, colorScheme });
      await makeTraffic(service, 3);
      const fault = { kind: "latency", ms: { min: 1, max: 2 } } as const;
      service.faults.play(fault, { times: Number.POSITIVE_INFINITY, account: "test-b" });
      service.jobs.next({ fail: "moderation" }, { after: 2, action: "copy-ad" });
      for (const { job_id } of service.jobs.all.slice(0, 5)) service.jobs.complete(job_id);
      await page.locator("#scheduled li").nth(1).waitFor();
      await page.locator(".card").nth(5).waitFor();
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        width,
      );
    },
  );
});
