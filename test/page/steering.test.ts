import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { call, timedJobs, usePages, withoutBrowser } from "./open-page.ts";

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

  test("submits the first job, moves the clock and sees it complete with its pictures", async () => {
    const { page, service } = await open({
      service: timedJobs(),
      reducedMotion: "no-preference",
    });
    const before = service.clock.now();
    await page.getByRole("heading", { name: "No jobs yet" }).waitFor();
    await page.locator("#new-job").getByLabel("Action").selectOption("generate-ad");
    await page.getByRole("button", { name: "Submit job" }).click();

    await page.locator("#queued .card").waitFor();
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

    await page.getByLabel("Seconds to advance").fill("12.5");
    await page.getByRole("button", { name: "Advance" }).click();
    await expect.poll(() => service.clock.now() - before).toBe(82_500);
  });

  test("ends jobs by their buttons, and the focus stays with a job as it moves", async () => {
    const { page, service, look } = await open({ service: timedJobs() });
    const ids: string[] = [];
    for (const action of ["generate-ad", "generate-ad", "generate-ad-copy"]) {
      ids.push((await call(service, "POST", "/v1/jobs", { action })).job_id);
    }
    await look();
    for (const [index, button, reason] of [
      [0, "Fail", "Generation failed"],
      [1, "Expire", "Job expired"],
    ] as const) {
      await page.getByRole("button", { name: `${button} ${ids[index]}` }).click();
      await page.locator("#finished .card.failed .reason", { hasText: reason }).waitFor();
      const job = service.jobs.find(ids[index] ?? "");
      expect(job).toMatchObject({ status: "failed", error: reason });
    }
    await page.getByRole("button", { name: `Complete ${ids[2]}` }).click();
    await page.locator("#finished .copy li strong").first().waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(`job-${ids[2]}`);
  });

  test("plays a fault, sees it planned, met and in the journal, and is told of a wrong one", async () => {
    const { page, service, look } = await open({ tolerate: /status of 400/ });
    await page.getByText("Plan a fault").click();
    const form = page.getByRole("form", { name: "Plan a fault" });
    const status = form.getByRole("spinbutton", { name: "Status" });
    await status.fill("9");
    await form.getByRole("button", { name: "Plan fault" }).click();
    const message = page.locator("#message[data-kind=failed]");
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
  });

  test("sees each fault's numbers and past, and takes one back, and all of them", async () => {
    const { page, service, look, questions } = await open({
      service: { accounts: { "test-key": {}, "test-other": {} } },
      prepare: ({ faults: { play } }) => {
        play({ kind: "latency", ms: 2 }, { times: 3, operation: "brands.list" });
        play({ kind: "rate-limit", retryAfterMs: 4_200 }, { account: "test-other" });
        play({ kind: "cut-body", afterBytes: 12 }, { operation: ["jobs.get", "jobs.list"] });
        const accepted = { kind: "reset", accepted: true } as const;
        play(accepted, { probability: 0.25, times: 2, operation: "jobs.submit" });
        play({ kind: "drip-body", bytes: 1, everyMs: 9 }, { operation: "jobs.submit" });
        play({ kind: "latency", ms: { min: 1, max: 4 } }, { account: "test-other" });
        play({ kind: "html" }, { times: Number.POSITIVE_INFINITY, operation: "jobs.get" });
        for (let count = 0; count < 116; count += 1) {
          play({ kind: "stall" }, { operation: "jobs.get" });
        }
      },
    });
    await call(service, "GET", "/v1/brands");
    await look();
    const faults = page.getByRole("region", { name: /^Faults/ });
    for (const [plan, ...words] of [
      ["latency 2 ms", "2 left", "waits for brands.list", "played 1 time"],
      ["rate-limit 429, Retry-After 5 s", "any call · test-other"],
      ["cut-body after 12 bytes", "jobs.get or jobs.list"],
      ["reset", "jobs.submit · 25 % of them", "not played yet; requests are carried out first"],
      ["drip-body 1 byte every 9 ms"],
      ["latency 1 to 4 ms"],
      ["html 502", "every time"],
    ]) {
      const item = faults.getByRole("listitem").filter({ hasText: plan ?? "" });
      await item.waitFor();
      for (const part of words) await item.getByText(part).waitFor();
    }
    // Of thousands, the first are listed, and the rest is counted.
    await faults.getByText("73 more plans").waitFor();
    expect(await page.locator("#faults-list > li").count()).toBe(50);
    expect(await page.locator("#faults-count").textContent()).toBe("123");

    await page.getByRole("button", { name: "Cancel html" }).click();
    await expect.poll(() => service.faults.planned.length).toBe(122);
    expect(service.faults.planned.map(({ fault }) => fault.kind)).not.toContain("html");
    const all = page.getByRole("button", { name: "Cancel all: faults" });
    questions.isYes = false;
    await all.click();
    expect(questions.asked).toEqual(["Cancel all faults?"]);
    expect(service.faults.planned).toHaveLength(122);
    questions.isYes = true;
    await all.click();
    await page.getByText("None is planned").waitFor();
    expect(service.faults.planned).toEqual([]);
  });

  test("scripts how jobs end, sees what was taken, and takes the scripts back", async () => {
    const { page, service, look, questions } = await open({
      service: timedJobs(),
      prepare: ({ jobs: { next } }) => {
        next({ fail: "moderation" }, { times: 2, action: "edit-ad" });
        next({ takesMs: Number.POSITIVE_INFINITY }, { action: "copy-ad" });
        next({ result: { images: [] } }, { action: "image-a-2" });
      },
    });
    await call(service, "POST", "/v1/jobs", { action: "edit-ad", prompt: "Less ice" });
    await look();
    const outcomes = page.getByRole("region", { name: /^Outcomes/ });
    const plan = (text: string) => outcomes.getByRole("listitem").filter({ hasText: text });
    const failure = plan("fails: moderation");
    for (const words of ["1 left", "waits for edit-ad", "taken 1 time"]) {
      await failure.getByText(words).waitFor();
    }
    await plan("expires").getByText("not taken yet").waitFor();
    await plan("completes with a result of its own").waitFor();
    await failure.getByRole("button", { name: "Cancel fails" }).click();
    await expect.poll(() => service.jobs.planned.length).toBe(2);

    await page.getByText("Script the next job").click();
    const form = page.getByRole("form", { name: "Script the next job" });
    await form.getByLabel("Reason").fill("no lemons");
    await form.getByLabel("Takes, seconds").fill("5");
    await form.getByLabel("Action").selectOption("generate-ad");
    await form.getByLabel("Account").fill("test-key");
    await form.getByLabel("Times").fill("");
    await form.getByRole("button", { name: "Script it" }).click();
    await plan("fails: no lemons, after 5 s").getByText("every time").waitFor();
    await outcomes.getByText("generate-ad · test-key").waitFor();
    expect(service.jobs.planned.at(-1)).toMatchObject({
      ...{ fail: "no lemons", takesMs: 5_000, action: "generate-ad", account: "test-key" },
      remaining: Infinity,
    });
    await call(service, "POST", "/v1/jobs", ad);
    await page.getByRole("button", { name: "+10 s" }).click();
    await page.locator("#finished .reason", { hasText: "no lemons" }).waitFor();

    await page.getByRole("button", { name: "Cancel all: outcomes" }).click();
    expect(questions.asked).toEqual(["Cancel all outcomes?"]);
    await page.getByText("Nothing is scripted").waitFor();
    expect(service.jobs.planned).toEqual([]);
  });

  test("is led from the top of the page to plans and to moved clocks, with their numbers", async () => {
    const { page, service, look } = await open();
    expect(await page.locator("#notices a").count()).toBe(0);
    service.faults.play({ kind: "stall" });
    service.jobs.next({ fail: "moderation" });
    service.jobs.next({ takesMs: 5 });
    service.account("test-key").clock.advance(60_000);
    await look();
    await page.getByRole("link", { name: "1 fault planned" }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe("#faults");
    await page.getByRole("link", { name: "2 outcomes planned" }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe("#outcomes");
    await page.getByRole("link", { name: "1 account clock ahead" }).waitFor();
    service.faults.clear();
    await look();
    await expect.poll(() => page.locator("#notices a").count()).toBe(2);
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

  test("sees how far the clock is ahead, and leads it back unless something is later", async () => {
    const { page, service } = await open({ tolerate: /status of 409/ });
    const words = page.locator(".moved");
    expect(await words.isVisible()).toBe(false);
    await page.getByRole("button", { name: "+30 min" }).click();
    await page.getByText("30 min ahead of real time").waitFor();
    await page.getByRole("button", { name: "To real time" }).click();
    await page.getByText("The clock shows real time").waitFor();
    await expect.poll(() => words.isVisible()).toBe(false);
    expect(offsetMs(service)).toBeLessThan(10_000);

    await page.getByRole("button", { name: "+30 min" }).click();
    await page.getByText("30 min ahead of real time").waitFor();
    await call(service, "POST", "/v1/jobs", { action: "generate-ad-copy" });
    await page.getByRole("button", { name: "To real time" }).click();
    await page.locator("#message", { hasText: "later than that are 1 × job" }).waitFor();
    await page.getByText("30 min ahead of real time").waitFor();
    await page.getByRole("button", { name: "Reset", exact: true }).click();
    await expect.poll(() => words.isVisible()).toBe(false);
    expect(offsetMs(service)).toBeLessThan(10_000);
  });

  test("exports a snapshot, is refused other files in words, and imports it after a question", async () => {
    const { page, service, questions } = await open({
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
    const button = section.getByRole("button", { name: "Import" });
    for (const [name, content, words] of [
      ["notes.txt", "not JSON", /notes\.txt is no snapshot: it is not JSON/],
      ["list.json", "[1]", /body must be a snapshot/],
      ["old.json", '{"version":7}', /version must be 1/],
    ] as const) {
      await section.getByLabel("File").setInputFiles(file(name, content));
      await button.click();
      await page.locator("#message[data-kind=failed]", { hasText: words }).waitFor();
      expect(service.account("test-key").brands).toHaveLength(1);
    }

    service.reset();
    await section.getByLabel("File").setInputFiles(file("saved.json", text));
    questions.isYes = false;
    questions.asked.length = 0;
    await button.click();
    expect(questions.asked).toEqual(["Replace everything by the file?"]);
    expect(service.accounts).toHaveLength(1);
    questions.isYes = true;
    await button.click();
    await page.getByText("The snapshot is in place").waitFor();
    expect(service.accounts.map(({ key }) => key)).toEqual(["test-key", "test-late"]);
    expect(service.account("test-key").brands).toMatchObject([{ name: "Lemonade" }]);
  });
});
