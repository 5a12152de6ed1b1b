// Tests the page of the mock's server, and its files for other pages, in Chromium.
import AxeBuilder from "@axe-core/playwright";
import { describe, expect, test } from "vitest";
import { startMockServer } from "../../mocks/server/index.ts";
import { listen } from "../helpers/http-server.ts";
import { createAsk, globalFetch } from "../mocks/ask.ts";
import {
  busy,
  call,
  submit,
  timedJobs,
  useBrowser,
  usePages,
  withoutBrowser,
} from "./open-page.ts";

describe.skipIf(withoutBrowser)("the mock's page", () => {
  const browser = useBrowser();
  const open = usePages(browser);

  test("the page shows a job that arrives, fails it by a button, and finishes another by the clock", async () => {
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

  test("the page's buttons schedule a fault and the end of a job, and cancel them", async () => {
    const { page, service } = await open();
    await page.getByRole("button", { name: "503" }).click();
    await page.getByRole("button", { name: "Fail the next job" }).click();
    const scheduled = page.locator("#scheduled");
    await expect
      .poll(() => scheduled.innerText())
      .toMatch(/^The next request: the answer is 503\s+Cancel\s+The next job: it fails, “Gen/);
    expect([service.faults.scheduled, service.jobs.scheduled]).toMatchObject([[{}], [{}]]);
    await page.getByRole("button", { name: "Cancel" }).first().click();
    await expect.poll(() => service.faults.scheduled).toEqual([]);
  });

  test("the page shows hostile text as it is", async () => {
    const prompt = `<img src=x onerror="document.title='owned'">"'&`;
    const { page } = await open({
      prepare: (service) => submit(service, { action: "copy-ad", prompt }),
    });
    await page.getByText(prompt).first().waitFor();
    expect(await page.title()).toContain("mock");
  });

  test("a video plays on, and details stay open, while other jobs come and end", async () => {
    let film = "";
    const { page, service } = await open({
      service: timedJobs(),
      prepare: async (service) => {
        film = await submit(service, { action: "video-a-2" });
        service.jobs.complete(film);
      },
    });
    const video = page.locator(`#${film} video`);
    await video.evaluate((player: HTMLVideoElement) => player.play());
    await page.locator(`#${film} summary`).click();
    service.jobs.complete(await submit(service, { action: "copy-ad" }));
    await page.locator(".card").nth(1).waitFor();
    expect(await video.evaluate((player: HTMLVideoElement) => player.paused)).toBe(false);
    expect(await page.locator(`#${film} pre`).isVisible()).toBe(true);
  });

  test("an empty page gives the address and the key, and marks a request with an unknown key", async () => {
    const { page, service, url } = await open();
    expect(await page.locator("#first-steps").innerText()).toContain(
      `export ADGEN_BASE_URL=${url}\nexport ADGEN_API_KEY=test-key`,
    );
    await call(service, "GET", "/v1/jobs", undefined, "sk-secret");
    await expect
      .poll(() => page.locator("#requests").innerText())
      .toMatch(/unknown key sk-….{4}[\s\S]*401/);
  });

  test("a failed job shows its reason, its price and what was sent", async () => {
    let failed = "";
    const { page } = await open({
      service: timedJobs(),
      prepare: async (service) => {
        const request = { action: "generate-ad", prompt: "Summer sale", variations: 3 };
        failed = await submit(service, request);
        service.jobs.fail(failed, "moderation");
      },
    });
    const card = page.locator(`#${failed}`);
    expect(await card.innerText()).toMatch(/moderation[\s\S]*3 image credits/);
    await card.locator("summary").click();
    await card.getByText('"variations": 3').waitFor();
  });

  test("the page says why a command failed", async () => {
    let id = "";
    const { page, service } = await open({
      service: timedJobs(),
      prepare: async (service) => {
        id = await submit(service, { action: "copy-ad" });
      },
      tolerate: /400/,
    });
    service.jobs.fail(id);
    await page.locator(`#${id}`).getByRole("button", { name: "Complete" }).click();
    await page.getByRole("status").getByText("has already finished").waitFor();
  });

  test("axe finds no barrier on a busy page, wide or narrow, light or dark, and nothing is cut off", async () => {
    const { page } = await open({ ...busy, viewport: { width: 1440, height: 800 } });
    const shown = ["#scheduled li", ".card", ".card.queued", ".card.processing", ".card.failed"];
    for (const part of [...shown, ".more", "#requests .failed"]) {
      expect([part, await page.locator(part).count()]).not.toEqual([part, 0]);
    }
    // Only the results of these rules depend on the colours or the width.
    const byColour = ["color-contrast", "link-in-text-block"];
    const byWidth = [...byColour, "target-size", "scrollable-region-focusable"];
    for (const [width, colorScheme, rules] of [
      [1440, "light", undefined],
      [1440, "dark", byColour],
      [390, "dark", byWidth],
      [390, "light", byColour],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      // The page has no frames, for which axe would open a page of its own.
      const axe = new AxeBuilder({ page }).setLegacyMode(true);
      const { violations } = await (rules ? axe.withRules([...rules]) : axe).analyze();
      const found = violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
      expect([width, colorScheme, found]).toEqual([width, colorScheme, []]);
      const scrolled = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(scrolled).toBeLessThanOrEqual(width);
    }
  });

  test("a page of another origin shows a picture, draws it on a canvas, and plays a video from its middle", async () => {
    const server = await startMockServer({ timeline: { queuedMs: 0, processingMs: 0 } });
    const ask = createAsk(globalFetch, "test-key", server.url);
    const make = async (body: object): Promise<string> => {
      const { job_id } = (await ask("POST", "/v1/jobs", body)).data;
      const { result } = (await ask("GET", `/v1/jobs/${job_id}`)).data;
      return Object.values<{ url: string }[]>(result).flat()[0]?.url ?? "";
    };
    const picture = await make({ action: "generate-ad", prompt: `<b>"Summer"</b> & 'sun'` });
    const video = await make({ action: "video-a-2", duration: 4 });
    expect(picture).toMatch(new RegExp(`^${server.url}/__mock/artwork/job_\\w+/1\\.svg$`));
    const site = await listen((response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(`<img crossorigin src="${picture}"><video muted src="${video}"></video>`);
    });
    const context = await browser.launched().newContext();
    browser.cleanups.push(
      () => context.close(),
      () => server.close(),
    );
    const page = await context.newPage();
    await page.goto(site.url);
    const seen = await page.evaluate(async () => {
      const image = document.images[0] as HTMLImageElement;
      await image.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: 9, height: 9 });
      const pen = canvas.getContext("2d") as CanvasRenderingContext2D;
      pen.drawImage(image, 0, 0, 9, 9);
      const player = document.querySelector("video") as HTMLVideoElement;
      const until = (event: string) =>
        new Promise((resolve) => player.addEventListener(event, resolve, { once: true }));
      if (player.readyState < 2) await until("loadeddata");
      player.currentTime = player.duration / 2;
      await until("seeked");
      const { videoWidth, duration, currentTime } = player;
      const alpha = pen.getImageData(4, 4, 1, 1).data[3];
      return {
        width: image.naturalWidth,
        alpha,
        videoWidth,
        isInMiddle: currentTime * 2 === duration,
      };
    });
    expect(seen).toEqual({ width: 1080, alpha: 255, videoWidth: 384, isInMiddle: true });
    expect(server.service.journal.entries).toHaveLength(4);
  });
});
