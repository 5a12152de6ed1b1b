import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { usePages, withoutBrowser } from "./open-page.ts";
import { call, submit, timedJobs } from "./services.ts";

const ad = { action: "generate-ad", prompt: "Summer sale", variations: 2 };

const offsetMs = ({ clock }: { clock: { now(): number } }): number =>
  Math.abs(clock.now() - Date.now());

const file = (name: string, text: string) => ({
  name,
  mimeType: "application/json",
  buffer: Buffer.from(text),
});

describe.skipIf(withoutBrowser)("a person at the page", () => {
  const open = usePages();

  test("submits the first job, moves the clock, sees it complete, and ends others by buttons", async () => {
    const { page, service, look } = await open({
      service: timedJobs(),
      reducedMotion: "no-preference",
    });
    const before = service.clock.now();
    await page.getByRole("heading", { name: "No jobs yet" }).waitFor();
    await page.locator("#new-job-form").getByLabel("Action").selectOption("generate-ad");
    await page.getByRole("button", { name: "Submit job" }).click();

    await page.locator("#queued .card").waitFor();
    expect(await page.getByRole("heading", { name: "No jobs yet" }).isVisible()).toBe(false);
    await page.getByRole("button", { name: "+10 s" }).click();
    await page.locator("#processing .card").waitFor();
    await page.getByRole("button", { name: "+1 min" }).click();

    const pictures = page.locator("#completed .card img");
    await pictures.nth(1).waitFor();
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLImageElement>("#completed img")].every(
        (image) => image.naturalWidth > 0,
      ),
    );
    expect(await pictures.count()).toBe(2);
    expect(service.account("test-key").charges).toHaveLength(1);

    expect(service.clock.now() - before).toBe(70_000);

    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      ids.push(await submit(service, { action: "generate-ad-copy" }));
    }
    await look();
    for (const [index, button, reason] of [
      [0, "Fail", "Generation failed"],
      [1, "Expire", "Job expired"],
    ] as const) {
      await page.getByRole("button", { name: `${button} ${ids[index]}` }).click();
      await page.locator("#failed .card .reason", { hasText: reason }).waitFor();
      const job = service.jobs.find(ids[index] ?? "");
      expect(job).toMatchObject({ status: "failed", error: reason });
    }
    await page.getByRole("button", { name: `Complete ${ids[2]}` }).click();
    await page.locator("#completed .copy li strong").first().waitFor();
    // The focus stays with a job as it moves.
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(`job-${ids[2]}`);
  });

  test("plays a fault, sees it met, is told of a wrong one, and takes faults back", async () => {
    const { page, service, look, pressAndConfirm } = await open({
      tolerate: /status of (400|502)/,
    });
    await page.getByText("Plan a fault").click();
    const form = page.getByRole("form", { name: "Plan a fault" });
    const status = form.getByRole("spinbutton", { name: "Status" });
    await status.fill("9");
    await form.getByRole("button", { name: "Plan fault" }).click();
    const message = page.locator("[data-message=failed] #message");
    await message.waitFor();
    expect(await message.textContent()).toMatch(/status/);
    expect(service.faults.planned).toEqual([]);

    await form.getByLabel("Kind").selectOption("status");
    await status.fill("507");
    await form.getByLabel("Call").selectOption("brands.list");
    await form.getByRole("button", { name: "Plan fault" }).click();
    await page.locator("#faults-list li", { hasText: "brands.list" }).waitFor();
    expect(service.faults.planned).toMatchObject([{ fault: { kind: "status", status: 507 } }]);

    await call(service, "GET", "/v1/brands");
    await look();
    const row = page.locator("#journal-table tbody tr", { hasText: "fault: status" });
    await row.getByText("507", { exact: true }).waitFor();
    await page.getByText("None is planned").waitFor();
    await row.getByRole("link").click();
    await page.getByLabel("Request 1, sent and answered").getByText('"success": false').waitFor();

    for (const kind of ["reset", "stall", "html"] as const) service.faults.play({ kind });
    await look();
    await page.getByRole("link", { name: "Faults 3" }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe("#faults");
    await page.getByRole("button", { name: "Cancel stall" }).click();
    await expect
      .poll(() => service.faults.planned.map(({ fault }) => fault.kind))
      .toEqual(["reset", "html"]);
    await pressAndConfirm("Cancel all faults", "Cancel all faults?");
    await page.getByText("None is planned").waitFor();
    expect(service.faults.planned).toEqual([]);

    service.faults.play({ kind: "html" });
    await page.getByRole("button", { name: "Submit job" }).click();
    await page.locator("[data-message=failed] #message", { hasText: "not valid JSON" }).waitFor();
  });

  test("is told what the next job costs, and whether its account can pay it", async () => {
    const accounts = { "test-key": {}, "test-poor": { credits: { video: { monthly: 7 } } } };
    const { page, service, look } = await open({
      service: { accounts, videoPrices: { "video-a-2": 0.1 } },
      tolerate: /status of 402/,
    });
    const price = page.locator("#new-job-price");
    const form = page.locator("#new-job-form");
    const says = (text: string) => expect.poll(() => price.innerText()).toBe(text);
    await says("It costs 2 image credits; test-key has 100.");
    await form.getByLabel("Prompt").fill("y".repeat(20_000));
    await form.getByLabel("Variations").fill("1");
    await says("It costs 1 image credit; test-key has 100.");
    await form.getByLabel("Action").selectOption("generate-ad-copy");
    await says("It is free.");
    for (const [action, seconds, variations] of [
      ["video-a-2", 21, 2],
      ["video-a-2-pro", undefined, 1],
      ["video-b-3-0", 60, 1],
    ] as const) {
      const before = service.account("test-key").credits.video.monthly;
      if (action === "video-b-3-0") service.account("test-key").grant({ video: { monthly: 180 } });
      await form.getByLabel("Account").fill("test-key");
      await form.getByLabel("Action").selectOption(action);
      await form.getByLabel("Seconds").fill(seconds === undefined ? "" : String(seconds));
      await form.getByLabel("Variations").fill(String(variations));
      const request = { action, ...(seconds && { duration: seconds }), variations };
      const amount = service.priceOf(request)?.amount ?? 0;
      const left = service.account("test-key").credits.video.monthly;
      await look();
      await says(`It costs ${amount} video credits; test-key has ${left}.`);
      await form.getByRole("button", { name: "Submit job" }).click();
      await expect.poll(() => service.account("test-key").charges.at(-1)?.amount).toBe(amount);
      expect(before).toBeGreaterThan(0);
    }
    await form.getByLabel("Account").fill("test-poor");
    await says("It costs 180 video credits; test-poor has 7: a 402.");
    await form.getByRole("button", { name: "Submit job" }).click();
    const words = "Insufficient credits. It costs 180 video credits; test-poor has 7: a 402.";
    await page.locator("#message", { hasText: words }).waitFor();
    const row = page.locator("#journal-table tbody tr").first();
    await row
      .getByText("Insufficient credits: it costs 180 video credits, and 7 are left")
      .waitFor();
    await form.getByLabel("Account").fill("test-nobody");
    await says("It costs 180 video credits.");
  });

  test("walks through the ledger to the jobs that were paid", async () => {
    const { page, service } = await open({
      prepare: async (fresh) => {
        for (let count = 1; count <= 20; count += 1) {
          await submit(fresh, { action: "generate-ad", variations: (count % 9) + 1 });
        }
      },
    });
    const [oldest] = service.account("test-key").charges;
    await page.locator("summary", { hasText: "Ledger 22" }).click();
    const ledger = page.locator("[id=ledger-test-key]");
    expect(await ledger.getByRole("row").count()).toBe(16);
    await ledger.getByRole("link", { name: "Older" }).click();
    await expect.poll(() => ledger.getByRole("row").count()).toBe(8);
    await ledger.getByRole("link", { name: `generate-ad ${oldest?.jobId}` }).click();
    await page.getByRole("heading", { name: "generate-ad" }).waitFor();
    expect(new URL(page.url()).searchParams.get("job")).toBe(oldest?.jobId);
    await ledger.getByRole("link", { name: "Newest" }).click();
    await expect.poll(() => ledger.getByRole("row").count()).toBe(16);
    await page.getByRole("row", { name: /^image 5 0 5 95$/ }).waitFor();
  });

  test("plans for all videos, always, and after so many", async () => {
    const { page, service } = await open();
    await page.getByText("Plan a fault").click();
    const fault = page.getByRole("form", { name: "Plan a fault" });
    await fault.getByLabel("Action").selectOption("all videos");
    await fault.getByLabel("Times").selectOption("always");
    await fault.getByLabel("Let pass first").fill("2");
    await fault.getByRole("button", { name: "Plan fault" }).click();
    await page.locator("#faults-list", { hasText: "every time" }).waitFor();
    const action = ["video-a-2", "video-a-2-pro", "video-b-3-0"];
    const times = Number.POSITIVE_INFINITY;
    expect(service.faults.planned).toMatchObject([{ action, times, after: 2 }]);
    await page.getByText("Script the next job").click();
    const outcome = page.getByRole("form", { name: "Script the next job" });
    await outcome.getByLabel("Action").selectOption("all videos");
    await outcome.getByLabel("Times").selectOption("3");
    await outcome.getByRole("button", { name: "Script it" }).click();
    await page.locator("#outcomes-list", { hasText: "3 left" }).waitFor();
    expect(service.jobs.planned).toMatchObject([{ action, times: 3 }]);
  });

  test("scripts how jobs end, and takes the scripts back", async () => {
    const { page, service, look, pressAndConfirm } = await open({ service: timedJobs() });
    service.jobs.next({ fail: "moderation" }, { action: "edit-ad" });
    await look();
    await page.getByRole("link", { name: "Outcomes 1" }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe("#outcomes");
    const outcomes = page.getByRole("region", { name: /^Outcomes/ });
    await outcomes.getByRole("button", { name: "Cancel fails" }).click();
    await page.getByText("Nothing is scripted").waitFor();

    await page.getByText("Script the next job").click();
    const form = page.getByRole("form", { name: "Script the next job" });
    await form.getByLabel("Fails with").fill("no lemons");
    await form.getByLabel("Takes, ms").fill("5000");
    await form.getByLabel("Action").selectOption("generate-ad");
    await form.getByLabel("Account").fill("test-key");
    await form.getByLabel("Times").selectOption("always");
    await form.getByRole("button", { name: "Script it" }).click();
    const words = "fail: no lemons · takesMs: 5000 · action: generate-ad · account: test-key";
    await outcomes.getByText(words).waitFor();
    const plan = { takesMs: 5_000, action: "generate-ad", account: "test-key" };
    expect(service.jobs.planned).toMatchObject([
      { ...plan, fail: "no lemons", remaining: Infinity },
    ]);
    await submit(service, ad);
    await page.getByRole("button", { name: "+10 s" }).click();
    await page.locator("#failed .reason", { hasText: "no lemons" }).waitFor();

    await pressAndConfirm("Cancel all outcomes", "Cancel all outcomes?");
    await page.getByText("Nothing is scripted").waitFor();
    expect(service.jobs.planned).toEqual([]);
  });

  test("moves the clock ahead, until a reset", async () => {
    const { page, service, pressAndConfirm } = await open({
      prepare: (fresh) => submit(fresh, ad),
    });
    await page.getByRole("button", { name: "+30 min" }).click();
    await expect.poll(() => offsetMs(service)).toBeGreaterThan(1_790_000);
    // Long enough for a renewal of the credits.
    await page.getByRole("row", { name: "image 98 0 98 2" }).waitFor();
    await page.getByRole("button", { name: "+31 days" }).click();
    await page.getByRole("row", { name: "image 100 0 100 2" }).waitFor();
    await pressAndConfirm(
      "Reset",
      "Throw everything away: jobs, brands, ads, plans and the journal?",
    );
    await page.getByRole("heading", { name: "No jobs yet" }).waitFor();
    expect(service.jobs.all).toEqual([]);
    expect(offsetMs(service)).toBeLessThan(10_000);
  });

  test("exports a snapshot, is refused other files in words, and imports it after a question", async () => {
    const { page, service, pressAndConfirm } = await open({
      tolerate: /status of 400/,
      prepare: async (fresh) => {
        await call(fresh, "POST", "/v1/brands", { name: "Lemonade" });
        fresh.addAccount("test-late");
      },
    });
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export", exact: true }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toMatch(/^adgen-mock-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.json$/);
    const text = await readFile(await saved.path(), "utf8");
    expect(createMockService().restore(JSON.parse(text))).toBeUndefined();

    const section = page.getByRole("region", { name: "Snapshot" });
    await section.getByText("Import").first().click();
    for (const [name, content, words] of [
      ["notes.txt", "not JSON", /is no snapshot: it is not JSON/],
      ["list.json", "[1]", /snapshot must be an object/],
      ["old.json", '{"version":7}', /snapshot\.version must be 2; it is 7/],
    ] as const) {
      await section.getByLabel("File").setInputFiles(file(name, content));
      await section.getByRole("button", { name: "Import" }).click();
      await page.locator("[data-message=failed] #message", { hasText: words }).waitFor();
      expect(service.account("test-key").brands).toHaveLength(1);
    }

    service.reset();
    await section.getByLabel("File").setInputFiles(file("saved.json", text));
    await pressAndConfirm("Import", "Replace everything by the file?");
    await page.getByText("Done: Import").waitFor();
    expect(service.accounts.map(({ key }) => key)).toEqual(["test-key", "test-late"]);
    expect(service.account("test-key").brands).toMatchObject([{ name: "Lemonade" }]);
  });

  test("finds one of 120 accounts, submits for another, and adds, fills, resets and removes one", async () => {
    const keys = Array.from({ length: 120 }, (_, index) => `test-${index + 1}`);
    const { page, service, pressAndConfirm } = await open({
      service: { accounts: Object.fromEntries(keys.map((key) => [key, {}])) },
      prepare: (fresh) => fresh.account("test-1").grant({ image: { purchased: 8 } }),
    });
    const accounts = page.locator("#accounts");
    await accounts.getByRole("row", { name: "test-1 108 100 0 0" }).waitFor();
    await accounts.getByText("112 more").waitFor();
    const narrow = accounts.getByRole("search").getByLabel("Account");
    await narrow.fill("test-87");
    await page.getByRole("article", { name: "test-87" }).waitFor();
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({ account: "test-87" });
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(3_000);

    await page.getByRole("form", { name: "New job" }).getByLabel("Account").fill("test-119");
    await page.getByRole("button", { name: "Submit job" }).click();
    await page.getByText("Done: Submit job").waitFor();
    expect(service.account("test-119").jobs.count).toBe(1);

    // Characters that mean something in HTML or in an address.
    const key = "test-'_/?#&%2F";
    await page.getByText("Add an account").click();
    const form = page.getByRole("form", { name: "Add an account" });
    await form.getByLabel("Key").fill(key);
    await form.getByLabel("Image credits").fill("5");
    await form.getByRole("button", { name: "Add account" }).click();
    await page.getByText("Done: Add account").waitFor();
    const added = service.account(key);
    expect([added.credits.image.monthly, added.credits.video.monthly]).toEqual([5, 100]);

    await narrow.fill(key);
    const account = page.getByRole("article", { name: key });
    await account.getByText("Grant credits").click();
    await account.getByLabel("Purchased video").fill("25");
    await account.getByRole("button", { name: "Grant" }).click();
    await account.getByRole("row", { name: "video 100 25 125 0" }).waitFor();
    await account.getByText("Ledger 3").click();
    await account.getByRole("row", { name: /video grant 0 \+25$/ }).waitFor();
    expect(added.credits.video).toEqual({ monthly: 100, purchased: 25 });

    await pressAndConfirm(`Reset ${key}`, `Throw away the jobs, brands and ads of ${key}?`);
    await page.getByText(`Done: Reset ${key}`).waitFor();
    expect(service.account(key).credits.video.purchased).toBe(0);
    expect(service.account("test-1").credits.image.purchased).toBe(8);
    await pressAndConfirm(`Remove ${key}`, `Remove ${key} with its jobs, brands and ads?`);
    await expect.poll(() => service.accounts.map((one) => one.key)).toEqual(keys);
    await expect.poll(() => page.getByRole("article", { name: key }).count()).toBe(0);
  });
});
