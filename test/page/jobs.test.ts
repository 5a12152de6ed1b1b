import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { usePages, withoutBrowser } from "./open-page.ts";
import { busy, submit, timedJobs } from "./services.ts";

const ad = { action: "generate-ad", prompt: "Snow on the hills", variations: 2 };

/** Counts the cards beside one another that differ in height, and the boxes that scroll. */
const findUneven = (page: Page) =>
  page.evaluate(() => {
    const heights = new Map<number, Set<number>>();
    for (const card of document.querySelectorAll(".card")) {
      const { top, height } = card.getBoundingClientRect();
      heights.set(top, (heights.get(top) ?? new Set()).add(Math.round(height)));
    }
    const scrolling = [...document.querySelectorAll("#jobs *")]
      .filter((part) => ["auto", "scroll"].includes(getComputedStyle(part).overflowY))
      .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)
      .map(({ className }) => className);
    return {
      rows: heights.size,
      uneven: [...heights.values()].filter(({ size }) => size > 1),
      scrolling,
    };
  });

/** Counts for each card the pictures that lie on another one. */
const countOverlaps = (page: Page): Promise<number[]> =>
  page.locator(".pictures").evaluateAll((all) =>
    all.map((pictures) => {
      const boxes = [...pictures.querySelectorAll("img")].map((image) =>
        image.getBoundingClientRect(),
      );
      return boxes.filter((one, place) =>
        boxes.some(
          (other, after) =>
            after > place &&
            one.left < other.right &&
            other.left < one.right &&
            one.top < other.bottom &&
            other.top < one.bottom,
        ),
      ).length;
    }),
  );

describe.skipIf(withoutBrowser)("the jobs on the page", () => {
  const open = usePages();

  test("are cards of one height, or low rows, that take few stops of the Tab key", async () => {
    const { page, url } = await open(busy());
    const { rows, ...layout } = await findUneven(page);
    expect(rows).toBeGreaterThan(2);
    expect(layout).toEqual({ uneven: [], scrolling: [] });
    const groundOf = (status: string) =>
      page
        .locator(`.card.${status}`)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(await groundOf("failed")).not.toBe(await groundOf("completed"));
    const stops = await page.locator(".card").evaluateAll((cards) =>
      cards.map((one) => ({
        isOpen: one.querySelector(".ends") !== null,
        stops: [...one.querySelectorAll<HTMLElement>("a, button, [tabindex]")].filter(
          ({ tabIndex }) => tabIndex >= 0,
        ).length,
      })),
    );
    // One each, and three more when they can be ended.
    expect(stops.filter(({ isOpen, stops }) => stops !== (isOpen ? 4 : 1))).toEqual([]);
    await page.goto(`${url}/__mock/?status=failed`);
    const row = page.getByRole("region", { name: "failed jobs" }).locator(".row");
    expect((await row.boundingBox())?.height).toBeLessThan(100);
  });

  test("are found by filters and links, and the address keeps the choice", async () => {
    const { page, service, look } = await open(busy());
    const filters = page.getByRole("search", { name: "Filter the jobs" });
    const choices = () =>
      Promise.all(
        ["Text", "Account", "Action"].map((name) => filters.getByLabel(name).inputValue()),
      );
    const queued = (count: number) =>
      page.locator("#queued-title", { hasText: new RegExp(`Queued\\s+${count}$`) }).waitFor();
    await page.getByRole("link", { name: "49 more queued" }).click();
    const list = page.getByRole("region", { name: "Queued jobs" });
    await list.getByText("40 of 57").waitFor();
    await list.getByRole("link", { name: "Older" }).click();
    await list.getByText("17 of 57").waitFor();
    // A filter begins with the newest.
    await filters.getByLabel("Text").fill("coat");
    await list.getByText("40 of 56").waitFor();
    await page.getByRole("group", { name: "State" }).getByRole("link", { name: "All" }).click();

    await filters.getByLabel("Text").fill("coat 5");
    await queued(11);
    await filters.getByLabel("Account").fill("test-c");
    await queued(5);
    await filters.getByLabel("Action").selectOption("generate-ad");
    await queued(3);
    const body = { action: "generate-ad", prompt: "Coat 500" };
    await submit(service, body, "test-c");
    await submit(service, body, "test-a");
    await look();
    await queued(4);
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

  test("opens from its card in place, keeps the filters, and goes back", async () => {
    const { page, service, look } = await open({ service: timedJobs() });
    const id = await submit(service, ad);
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

  test("copy their id and a curl command, are ended, and show whole pictures side by side", async () => {
    const { page, service, url } = await open({
      service: timedJobs(),
      permissions: ["clipboard-read", "clipboard-write"],
      prepare: async (fresh) => {
        for (const variations of [1, 2, 3, 4, 6]) {
          fresh.jobs.complete(await submit(fresh, { action: "image-a-2", variations }));
        }
      },
    });
    expect(await countOverlaps(page)).toEqual([0, 0, 0, 0, 0]);
    const request = { ...ad, aspect_ratio: "4:5" };
    const id = await submit(service, request);
    await page.goto(`${url}/__mock/?job=${id}`);
    await page.locator("[data-link=live]").waitFor();
    const copied = async (button: string): Promise<string> => {
      await page.getByRole("button", { name: button }).click();
      await page.locator("#message", { hasText: "Copied" }).waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    expect(await copied("Copy id")).toBe(id);
    expect(await copied("Copy as curl")).toBe(
      [
        `curl -X POST '${url}/v1/jobs'`,
        "-H 'Authorization: Bearer test-key'",
        "-H 'Content-Type: application/json'",
        `-d '${JSON.stringify(request)}'`,
      ].join(" \\\n  "),
    );

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
    const id = await submit(service, { action: "video-a-2" });
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
});
