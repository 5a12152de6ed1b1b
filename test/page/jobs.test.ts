import { describe, expect, test } from "vitest";
import { usePages, withoutBrowser } from "./open-page.ts";
import { busy, submit, timedJobs } from "./services.ts";

describe.skipIf(withoutBrowser)("the jobs on the page", () => {
  const open = usePages();

  test("are found by filters and links, open in place, and the address keeps the choice", async () => {
    const { page, service, look } = await open(busy());
    await page.evaluate(() => Object.assign(window, { isSame: true }));
    const filters = page.getByRole("search", { name: "Filter the jobs" });
    const narrow = page
      .getByRole("search", { name: "Narrow the page to one account" })
      .getByLabel("Account");
    const choices = () =>
      Promise.all(
        [filters.getByLabel("Text"), narrow, filters.getByLabel("Action")].map((field) =>
          field.inputValue(),
        ),
      );
    const queued = (count: number) =>
      page.locator("#queued-title", { hasText: new RegExp(`queued\\s+${count}$`) }).waitFor();
    const list = page.getByRole("region", { name: /^queued \d+$/ });
    await list.getByText("8 of 57").waitFor();
    await list.getByRole("link", { name: "Older" }).click();
    await list.getByText("40 of 57").waitFor();
    await list.getByRole("link", { name: "Older" }).click();
    await list.getByText("9 of 57").waitFor();
    await list.getByRole("link", { name: "Newest" }).waitFor();
    // A filter begins with the newest.
    await filters.getByLabel("Text").fill("coat");
    await list.getByText("40 of 56").waitFor();
    await page.getByRole("group", { name: "State" }).getByRole("link", { name: "all" }).click();

    await filters.getByLabel("Text").fill("coat 5");
    await queued(11);
    await narrow.fill("test-c");
    await queued(5);
    await filters.getByLabel("Action").selectOption("generate-ad");
    await queued(3);
    const body = { action: "generate-ad", prompt: "Coat 500" };
    const id = await submit(service, body, "test-c");
    await submit(service, body, "test-a");
    await look();
    await queued(4);

    // A job opens from its card without a load, and goes back.
    const card = page.getByRole("link", { name: `generate-ad ${id}` });
    await card.click();
    await page.getByRole("heading", { name: "generate-ad queued" }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("jobs");
    await page.goBack();
    await queued(4);
    await card.click();
    await page.getByRole("link", { name: "All jobs" }).click();
    await queued(4);
    expect(await page.evaluate(() => Reflect.get(window, "isSame"))).toBe(true);
    const query = "?text=coat+5&account=test-c&action=generate-ad";
    expect(new URL(page.url()).search).toBe(query);
    await page.reload();
    await queued(4);
    expect(await choices()).toEqual(["coat 5", "test-c", "generate-ad"]);

    await filters.getByLabel("Text").fill("no such coat");
    await page.getByRole("link", { name: "Show all jobs" }).click();
    await queued(59);
    expect(await choices()).toEqual(["", "", ""]);
    await page.goBack();
    await page.getByText("No job fits the filters.").waitFor();
    expect(await choices()).toEqual(["no such coat", "test-c", "generate-ad"]);
  });

  test("select their id at a click, are ended, and show pictures in their shape, or a video that is fetched late", async () => {
    const { page, service, url, asked } = await open({
      service: timedJobs(),
    });
    const request = { action: "generate-ad", variations: 2 };
    const id = await submit(service, request);
    await page.goto(`${url}/__mock/?job=${id}`);
    await page.locator("[data-link=live]").waitFor();
    await page.locator(".job .bar code").click();
    expect(await page.evaluate(() => String(getSelection()))).toBe(id);

    await page.getByRole("button", { name: `Complete ${id}` }).click();
    await page.getByRole("heading", { name: "generate-ad completed" }).waitFor();
    expect(await page.getByRole("button", { name: `Complete ${id}` }).count()).toBe(0);
    expect(service.jobs.find(id)?.status).toBe("completed");
    const pictures = page.locator(".job .pictures img");
    expect(await pictures.count()).toBe(2);
    const shape = () =>
      pictures.first().evaluate(({ clientWidth, clientHeight }) => clientWidth / clientHeight);
    await expect.poll(shape).toBeCloseTo(1, 1);

    const videoId = await submit(service, { action: "video-a-2" });
    service.jobs.complete(videoId);
    await page.goto(`${url}/__mock/?job=${videoId}`);
    const video = page.locator(".job .pictures video");
    await video.waitFor();
    expect(await video.getAttribute("poster")).toMatch(/1\.svg\?at=/);
    expect(asked.filter((address) => address.endsWith(".mp4"))).toEqual([]);
    await video.evaluate((element: HTMLVideoElement) => {
      element.muted = true;
      // A Chromium without the codec says so: the request is what counts here.
      element.play().catch(() => undefined);
    });
    await expect.poll(() => asked).toContain(`${url}/__mock/artwork/${videoId}/1.mp4`);
  });
});
