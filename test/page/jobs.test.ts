import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import type { MockService } from "../../mocks/index.ts";
import { call, timedJobs, usePages, withoutBrowser } from "./open-page.ts";

/** A busy service: 60 jobs of three accounts, of which a few have ended. */
const fill = async (service: MockService): Promise<void> => {
  const brand = await call(service, "POST", "/v1/brands", { name: "Zebra" }, "test-b");
  for (let count = 0; count < 60; count += 1) {
    const key = ["test-a", "test-b", "test-c"][count % 3] ?? "";
    const body = {
      action: count % 2 ? "generate-ad" : "generate-ad-copy",
      prompt: `Coat ${count}`,
    };
    const { job_id } = await call(service, "POST", "/v1/jobs", body, key);
    if (count === 3) service.jobs.fail(job_id, "Refused by moderation");
    if (count < 3) service.jobs.complete(job_id);
    service.clock.advance(1);
  }
  const special = {
    action: "image-a-2",
    prompt: "A lighthouse at night",
    variations: 3,
    brand_id: brand.id,
    images: ["https://a.example/1.png", "https://a.example/2.png"],
  };
  await call(service, "POST", "/v1/jobs", special, "test-b");
};

const busy = () => ({
  service: { ...timedJobs(), accounts: { "test-a": {}, "test-b": {}, "test-c": {} } },
  prepare: fill,
});

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

  test("are cards of one height that tell what was sent, what it cost and why it failed", async () => {
    const { page } = await open(busy());
    const card = page.locator(".card", { hasText: "A lighthouse at night" });
    expect(await card.locator(".sent").innerText()).toBe(
      "3 image credits · 3 variations · 2 images · Zebra",
    );
    expect(await card.locator(".foot").innerText()).toContain("test-b");
    const failed = page.locator(".card.failed");
    expect(await failed.locator(".reason").innerText()).toMatch(/^Failed\s+Refused by moderation$/);
    const groundOf = (status: string) =>
      page
        .locator(`.card.${status}`)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(await groundOf("failed")).not.toBe(await groundOf("completed"));

    const { rows, ...layout } = await findUneven(page);
    expect(rows).toBeGreaterThan(2);
    expect(layout).toEqual({ uneven: [], scrolling: [] });
    const stops = await page.locator(".card").evaluateAll((cards) =>
      cards.map((one) => ({
        isOpen: one.querySelector(".ends") !== null,
        stops: [...one.querySelectorAll<HTMLElement>("a, button, [tabindex]")].filter(
          ({ tabIndex }) => tabIndex >= 0,
        ).length,
      })),
    );
    // One of the Tab key each, and three more when they can be ended.
    expect(stops.filter(({ isOpen, stops }) => stops !== (isOpen ? 4 : 1))).toEqual([]);
  });

  test("are counted truly in each state, and the counts lead to lists of low rows", async () => {
    const { page, url } = await open(busy());
    const states = page.getByRole("group", { name: "State" });
    expect(await states.innerText()).toMatch(
      /All\s*61\s*queued\s*57\s*processing\s*0\s*completed\s*3\s*failed\s*1/i,
    );
    expect(await page.locator("#jobs-count").textContent()).toBe("61");
    expect(await page.locator("#queued .card").count()).toBe(8);
    expect(await page.locator("#finished .card").count()).toBe(4);
    await page.getByRole("link", { name: "49 more queued" }).click();
    const list = page.getByRole("region", { name: "Queued jobs" });
    await list.getByText("40 of 57").waitFor();
    expect(new URL(page.url()).searchParams.get("status")).toBe("queued");
    await list.getByRole("link", { name: "Older" }).click();
    await list.getByText("17 of 57").waitFor();
    expect(await list.locator(".row").count()).toBe(17);
    await list.getByRole("link", { name: "Newest" }).click();
    await list.getByText("40 of 57").waitFor();

    await page.goto(`${url}/__mock/?status=failed`);
    const row = page.getByRole("region", { name: "failed jobs" }).locator(".row");
    expect(await row.locator(".error").innerText()).toBe("Refused by moderation");
    expect((await row.boundingBox())?.height).toBeLessThan(100);
  });

  test("are found by the kind of their action and a word of it; their pictures do not overlap", async () => {
    const { page } = await open({
      service: timedJobs(),
      prepare: async (fresh) => {
        for (const action of ["video-a-2", "video-b-3-0", "generate-ad-copy"]) {
          await call(fresh, "POST", "/v1/jobs", { action, prompt: "Coat" });
        }
        for (const variations of [1, 2, 3, 4, 6]) {
          const body = { action: "image-a-2", variations };
          fresh.jobs.complete((await call(fresh, "POST", "/v1/jobs", body)).job_id);
        }
      },
    });
    expect(await countOverlaps(page)).toEqual([0, 0, 0, 0, 0]);
    const filters = page.getByRole("search", { name: "Filter the jobs" });
    const names = () => page.locator(".card strong").allInnerTexts();
    for (const [group, found] of [
      ["all videos", ["video-b-3-0", "video-a-2"]],
      ["all pictures", Array(5).fill("image-a-2")],
      ["all copy", ["generate-ad-copy"]],
    ] as const) {
      await filters.getByLabel("Action").selectOption(group);
      await expect.poll(names).toEqual(found);
    }
    await filters.getByLabel("Action").selectOption("");
    await filters.getByLabel("Text").fill("VIDEO");
    await expect.poll(names).toEqual(["video-b-3-0", "video-a-2"]);
  });

  test("are found by text, account and action, and the address keeps the choice", async () => {
    const { page, service, look } = await open(busy());
    const filters = page.getByRole("search", { name: "Filter the jobs" });
    const choices = () =>
      Promise.all(
        ["Text", "Account", "Action"].map((name) => filters.getByLabel(name).inputValue()),
      );
    const queued = (count: number) =>
      page.locator("#queued-title", { hasText: new RegExp(`Queued\\s+${count}$`) }).waitFor();
    await filters.getByLabel("Text").fill("coat 5");
    await queued(11);
    await filters.getByLabel("Account").fill("test-c");
    await queued(5);
    await filters.getByLabel("Action").selectOption("generate-ad");
    await queued(3);
    const shown = await page.locator(".card .prompt").allInnerTexts();
    expect(shown).toEqual(["Coat 59", "Coat 53", "Coat 5"]);

    const body = { action: "generate-ad", prompt: "Coat 500" };
    await call(service, "POST", "/v1/jobs", body, "test-c");
    await call(service, "POST", "/v1/jobs", body, "test-a");
    await look();
    await queued(4);

    await page.reload();
    await queued(4);
    expect(await choices()).toEqual(["coat 5", "test-c", "generate-ad"]);

    await filters.getByLabel("Text").fill("no such coat");
    await page.getByText("No job fits the filters.").waitFor();
    await page.getByRole("link", { name: "Show all jobs" }).click();
    await queued(59);
    expect(await filters.getByLabel("Text").inputValue()).toBe("");
    await page.goBack();
    await page.getByText("No job fits the filters.").waitFor();
    expect(await filters.getByLabel("Text").inputValue()).toBe("no such coat");

    await page.locator("#filter-account").fill("test-nobody");
    await page.locator("#jobs").getByText("No account has the key test-nobody.").waitFor();
  });
});
