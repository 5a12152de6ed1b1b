import { describe, expect, test } from "vitest";
import { call, timedJobs, usePages, withoutBrowser } from "./open-page.ts";

const ad = { action: "generate-ad", prompt: "Snow on the hills", variations: 2 };

describe.skipIf(withoutBrowser)("the page of one job", () => {
  const open = usePages();

  test("has a link of its own, also when many jobs are newer", async () => {
    const { page, service, url } = await open({ service: timedJobs() });
    const { job_id: id } = await call(service, "POST", "/v1/jobs", ad);
    await call(service, "GET", `/v1/jobs/${id}`);
    service.clock.advance(15_000);
    service.jobs.fail(id, "Refused by moderation");
    for (let count = 0; count < 60; count += 1) {
      await call(service, "POST", "/v1/jobs", { action: "generate-ad-copy" });
    }
    await page.goto(`${url}/__mock/?job=${id}`);
    const job = page.locator("#jobs");
    await job.getByRole("heading", { name: "generate-ad failed" }).waitFor();
    await job.locator(".reason", { hasText: "Refused by moderation" }).waitFor();
    const facts = await job.locator("dl").innerText();
    for (const fact of [
      "Snow on the hills",
      "2 variations",
      "2 image credits: 2 monthly, 0 purchased",
      "test-key",
      "1 time while it was unfinished",
      "after 10 s",
      "after 15 s",
      "a button, or a call of the mock",
    ]) {
      expect(facts).toContain(fact);
    }
    const rows = job.getByRole("table", { name: "Requests about this job" });
    expect(await rows.getByRole("link").allInnerTexts()).toEqual([
      `GET /v1/jobs/${id}`,
      "POST /v1/jobs",
    ]);
    const shown: unknown[] = [];
    for (const name of ["Request as it was sent", "Job as JSON, its pictures by their paths"]) {
      await job.getByText(name).click();
      shown.push(JSON.parse(await job.getByRole("region", { name }).innerText()));
    }
    expect(shown).toEqual([ad, service.jobs.find(id)]);
  });

  test("opens from its card in place, keeps the filters, and goes back", async () => {
    const { page, service, look } = await open({ service: timedJobs() });
    const { job_id: id } = await call(service, "POST", "/v1/jobs", ad);
    await look();
    await page.locator("#filter-text").fill("snow");
    await page.locator("#new-job-prompt").fill("Half of a sentence");
    await page.evaluate(() => Object.assign(window, { isSame: true }));
    await page.getByRole("link", { name: `generate-ad ${id}` }).click();
    await page.getByRole("heading", { name: "generate-ad queued" }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("jobs");
    await page.goBack();
    await page.locator("#queued .card").waitFor();
    expect(await page.locator("#filter-text").inputValue()).toBe("snow");
    await page.getByRole("link", { name: `generate-ad ${id}` }).click();
    await page.getByRole("link", { name: "All jobs" }).click();
    await page.locator("#queued .card").waitFor();
    expect(new URL(page.url()).search).toBe("?text=snow");
    expect(await page.evaluate(() => Reflect.get(window, "isSame"))).toBe(true);
  });

  test("copies its id and a curl command, ends the job, and shows whole pictures", async () => {
    const { page, service, url } = await open({
      service: timedJobs(),
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const request = { ...ad, aspect_ratio: "4:5" };
    const { job_id: id } = await call(service, "POST", "/v1/jobs", request);
    await page.goto(`${url}/__mock/?job=${id}`);
    await page.locator("[data-link=live]").waitFor();
    const copied = async (button: string): Promise<string> => {
      await page.getByRole("button", { name: button }).click();
      await page.locator("#message", { hasText: "Copied" }).waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    expect(await copied("Copy id")).toBe(id);
    const curl = await copied("Copy as curl");
    expect(curl).toContain(`'${url}/v1/jobs'`);
    expect(curl).toContain("Authorization: Bearer test-key");
    expect(curl).toContain(JSON.stringify(request));

    await page.getByRole("button", { name: `Complete ${id}` }).click();
    await page.getByRole("heading", { name: "generate-ad completed" }).waitFor();
    expect(await page.getByRole("button", { name: `Complete ${id}` }).count()).toBe(0);
    expect(service.jobs.find(id)?.status).toBe("completed");
    const pictures = page.locator(".gallery img");
    expect(await pictures.count()).toBe(2);
    const shape = () =>
      pictures.first().evaluate(({ clientWidth, clientHeight }) => clientWidth / clientHeight);
    await expect.poll(shape).toBeCloseTo(4 / 5, 1);
  });

  test("plays a video, which it fetches only then", async () => {
    const { page, service, url, asked } = await open({ service: timedJobs() });
    const { job_id: id } = await call(service, "POST", "/v1/jobs", { action: "video-a-2" });
    service.jobs.complete(id);
    await page.goto(`${url}/__mock/?job=${id}`);
    const video = page.locator(".gallery video");
    await video.waitFor();
    expect(await video.getAttribute("poster")).toMatch(/1\.svg\?at=.*&still$/);
    expect(asked.filter((address) => address.endsWith(".mp4"))).toEqual([]);
    await video.evaluate((element: HTMLVideoElement) => {
      element.muted = true;
      // A Chromium without the codec says so: the request is what counts here.
      element.play().catch(() => undefined);
    });
    const file = `${url}/__mock/artwork/${id}/1.mp4`;
    await expect.poll(() => asked.includes(file)).toBe(true);
  });

  test("says who ended it, or that there is no such job", async () => {
    const { page, service, url } = await open({ service: timedJobs() });
    const submit = async (prompt: string): Promise<string> =>
      (await call(service, "POST", "/v1/jobs", { ...ad, prompt })).job_id;
    const usual = await submit("Snow");
    const prompted = await submit("Snow [[fail: moderation]]");
    service.jobs.next({ fail: "moderation" });
    const planned = await submit("Snow [[fail: quota]]");
    const endless = await submit("Snow [[takes: 50m]]");
    service.clock.advance(31 * 60_000);
    for (const [id, words] of [
      [usual, "its timeline"],
      [prompted, "words in its prompt"],
      [planned, "a planned outcome"],
      [endless, "its expiry, 30 minutes after its submission"],
    ]) {
      await page.goto(`${url}/__mock/?job=${id}`);
      expect(await page.locator("#jobs dl").innerText()).toContain(`Ended by\n${words}`);
    }
    await page.goto(`${url}/__mock/?job=job_nobody`);
    await page.getByRole("heading", { name: "No job has the id job_nobody" }).waitFor();
    service.reset();
    await page.getByRole("link", { name: "All jobs" }).click();
    await page.getByRole("heading", { name: "No jobs yet" }).waitFor();
  });
});
