import { describe, expect, test } from "vitest";
import { call, timedJobs, usePages, withoutBrowser } from "./open-page.ts";

const ad = { action: "generate-ad", prompt: "Summer sale", variations: 2 };

describe.skipIf(withoutBrowser)("a person at the page", () => {
  const open = usePages();

  test("submits the first job, moves the clock and sees it complete with its pictures", async () => {
    const { page, service } = await open({
      service: timedJobs(),
      reducedMotion: "no-preference",
    });
    await page.getByRole("heading", { name: "No jobs yet" }).waitFor();
    await page.locator("#new-job").getByLabel("Action").selectOption("generate-ad");
    await page.getByRole("button", { name: "Submit job" }).click();

    const card = page.locator("#queued .card");
    await card.waitFor();
    expect(await page.getByRole("heading", { name: "No jobs yet" }).isVisible()).toBe(false);
    await page.getByRole("button", { name: "+10 s" }).click();
    await page.locator("#processing .card").waitFor();
    await page.getByRole("button", { name: "+1 min" }).click();

    const pictures = page.locator("#finished .card.completed img");
    await pictures.nth(1).waitFor();
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLImageElement>("#finished img")].every(
        (image) => image.naturalWidth > 0,
      ),
    );
    expect(await pictures.count()).toBe(2);
    expect(service.account("test-key").charges).toHaveLength(1);
  });

  test("moves the clock by as many seconds as are typed", async () => {
    const { page, service } = await open({ service: timedJobs() });
    const before = service.clock.now();
    await page.getByLabel("Seconds to advance").fill("12.5");
    await page.getByRole("button", { name: "Advance" }).click();
    await page.getByText("The clock has moved").waitFor();
    expect(service.clock.now() - before).toBe(12_500);
  });

  test.each([
    ["Fail", "Generation failed"],
    ["Expire", "Job expired"],
  ])("presses %s on a job, which then says %j", async (button, reason) => {
    const { page, service, look } = await open({ service: timedJobs() });
    const job = await call(service, "POST", "/v1/jobs", ad);
    await look();
    await page.getByRole("button", { name: `${button} ${job.job_id}` }).click();
    await page.locator("#finished .card.failed .reason", { hasText: reason }).waitFor();
    expect(service.jobs.find(job.job_id)).toMatchObject({ status: "failed", error: reason });
  });

  test("presses Complete, and the focus stays with the job as it moves", async () => {
    const { page, service, look } = await open({ service: timedJobs() });
    const job = await call(service, "POST", "/v1/jobs", { action: "generate-ad-copy" });
    await look();
    await page.getByRole("button", { name: `Complete ${job.job_id}` }).click();
    await page.locator("#finished .copy li strong").waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(`job-${job.job_id}`);
  });

  test("grants credits, and sees the balance and the ledger", async () => {
    const { page, service } = await open();
    const account = page.getByRole("article", { name: "test-key" });
    await account.getByText("Grant credits").click();
    await account.getByLabel("Kind").selectOption("video");
    await account.getByLabel("Monthly").fill("");
    await account.getByLabel("Purchased").fill("25");
    await account.getByRole("button", { name: "Grant" }).click();
    await account.getByRole("row", { name: "video 100 25 125" }).waitFor();
    await account.getByText("Ledger 3").click();
    await account.getByRole("row", { name: /video grant 0 \+25$/ }).waitFor();
    expect(service.account("test-key").credits.video).toEqual({ monthly: 100, purchased: 25 });
  });

  test("plays a fault, and sees it planned, met and in the journal", async () => {
    const { page, service, look } = await open();
    await page.getByText("Plan a fault").click();
    const form = page.getByRole("form", { name: "Plan a fault" });
    await form.getByLabel("Kind").selectOption("status");
    await form.getByRole("spinbutton", { name: "Status" }).fill("507");
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
  });

  test("takes a fault back, and all of them", async () => {
    const { page, service, questions } = await open({
      prepare: ({ faults }) => {
        faults.play({ kind: "reset" });
        faults.play({ kind: "stall" });
        faults.play({ kind: "html" }, { times: Number.POSITIVE_INFINITY });
      },
    });
    await page.getByText("every time").waitFor();
    await page.getByRole("button", { name: "Cancel stall" }).click();
    await expect
      .poll(() => service.faults.planned.map(({ fault }) => fault.kind))
      .toEqual(["reset", "html"]);
    const all = page.getByRole("button", { name: "Cancel all: faults" });
    questions.isYes = false;
    await all.click();
    expect(questions.asked).toEqual(["Cancel all faults?"]);
    expect(service.faults.planned).toHaveLength(2);
    questions.isYes = true;
    await all.click();
    await page.getByText("None is planned").waitFor();
    expect(service.faults.planned).toEqual([]);
  });

  test("scripts how the next job ends", async () => {
    const { page, service, look } = await open({ service: timedJobs() });
    await page.getByText("Script the next job").click();
    const form = page.getByRole("form", { name: "Script the next job" });
    await form.getByLabel("Reason").fill("moderation");
    await form.getByLabel("Takes, seconds").fill("5");
    await form.getByRole("button", { name: "Script it" }).click();
    await page.getByText("Planned for the next job").waitFor();
    await call(service, "POST", "/v1/jobs", ad);
    await look();
    await page.locator("#queued .card, #processing .card").waitFor();
    await page.getByRole("button", { name: "+10 s" }).click();
    await page.locator("#finished .reason", { hasText: "moderation" }).waitFor();
  });

  test("resets one account, and leaves the others alone", async () => {
    const { page, service, questions } = await open({
      service: { accounts: { "test-a": {}, "test-b": {} } },
      prepare: (fresh) => {
        fresh.account("test-a").grant("image", { purchased: 7 });
        fresh.account("test-b").grant("image", { purchased: 8 });
      },
    });
    await page.getByRole("link", { name: "test-a" }).click();
    await page.getByRole("row", { name: "image 100 7 107" }).waitFor();
    const reset = page.getByRole("button", { name: "Reset test-a" });
    questions.isYes = false;
    await reset.click();
    expect(questions.asked).toEqual(["Throw away the jobs, brands and ads of test-a?"]);
    expect(service.account("test-a").credits.image.purchased).toBe(7);
    questions.isYes = true;
    await reset.click();
    await page.getByText("test-a is as new").waitFor();
    expect(service.account("test-a").credits.image.purchased).toBe(0);
    expect(service.account("test-b").credits.image.purchased).toBe(8);
  });

  test("resets everything when the question is answered with yes", async () => {
    const { page, service, questions } = await open({
      prepare: (fresh) => call(fresh, "POST", "/v1/jobs", ad),
    });
    await page.locator(".card").waitFor();
    const reset = page.getByRole("button", { name: "Reset", exact: true });
    questions.isYes = false;
    await reset.click();
    expect(questions.asked).toHaveLength(1);
    expect(service.jobs.all).toHaveLength(1);
    questions.isYes = true;
    await reset.click();
    await page.getByRole("heading", { name: "No jobs yet" }).waitFor();
    expect(service.jobs.all).toEqual([]);
  });

  test("is told why an order was refused", async () => {
    const { page, service } = await open({ tolerate: /status of 400/ });
    await page.getByText("Plan a fault").click();
    const form = page.getByRole("form", { name: "Plan a fault" });
    await form.getByRole("spinbutton", { name: "Status" }).fill("9");
    await form.getByRole("button", { name: "Plan fault" }).click();
    const message = page.locator("#message[data-kind=failed]");
    await message.waitFor();
    expect(await message.textContent()).toMatch(/status/);
    expect(service.faults.planned).toEqual([]);
  });
});
