import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { call, timedJobs, usePages, withoutBrowser } from "./open-page.ts";

const faults = (page: Page) => page.getByRole("region", { name: /^Faults/ });
const outcomes = (page: Page) => page.getByRole("region", { name: /^Outcomes/ });

describe.skipIf(withoutBrowser)("plans on the page", () => {
  const open = usePages();

  test("show each fault's own numbers, for whom it waits, and how often it was played", async () => {
    const { page, service, look } = await open({
      service: { accounts: { "test-key": {}, "test-other": {} } },
      prepare: ({ faults: { play } }) => {
        play({ kind: "latency", ms: 2 }, { times: 3, operation: "brands.list" });
        play({ kind: "rate-limit", retryAfterMs: 4_200 }, { account: "test-other" });
        play({ kind: "cut-body", afterBytes: 12 }, { operation: ["jobs.get", "jobs.list"] });
        play(
          { kind: "reset", accepted: true },
          { probability: 0.25, times: 2, operation: "jobs.submit" },
        );
        play({ kind: "drip-body", bytes: 1, everyMs: 9 }, { operation: "jobs.submit" });
        play({ kind: "latency", ms: { min: 1, max: 4 } }, { account: "test-other" });
      },
    });
    await call(service, "GET", "/v1/brands");
    await look();
    const plan = (text: string) => faults(page).getByRole("listitem").filter({ hasText: text });
    const latency = plan("latency 2 ms");
    await latency.getByText("2 left").waitFor();
    await latency.getByText("waits for brands.list").waitFor();
    await latency.getByText("played 1 time").waitFor();
    await plan("rate-limit 429, Retry-After 5 s").getByText("any call · test-other").waitFor();
    await plan("cut-body after 12 bytes").getByText("jobs.get or jobs.list").waitFor();
    await plan("reset").getByText("jobs.submit · 25 % of them").waitFor();
    await plan("reset").getByText("not played yet; requests are carried out first").waitFor();
    await plan("drip-body 1 byte every 9 ms").waitFor();
    await plan("latency 1 to 4 ms").waitFor();
  });

  test("stand at the top of the page, with their numbers, and lead to their lists", async () => {
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

  test("of outcomes are listed with what was taken, and taken back one by one", async () => {
    const { page, service, look, questions } = await open({
      service: timedJobs(),
      prepare: ({ jobs: { next } }) => {
        next({ fail: "moderation" }, { times: 2, action: "edit-ad" });
        next({ takesMs: 5_000 }, { account: "test-key", times: Number.POSITIVE_INFINITY });
        next({ takesMs: Number.POSITIVE_INFINITY }, { action: "copy-ad" });
        next({ result: { images: [] } }, { action: "image-a-2" });
      },
    });
    await call(service, "POST", "/v1/jobs", { action: "edit-ad", prompt: "Less ice" });
    await look();
    const plan = (text: string) => outcomes(page).getByRole("listitem").filter({ hasText: text });
    const failure = plan("fails: moderation");
    await failure.getByText("1 left").waitFor();
    await failure.getByText("waits for edit-ad").waitFor();
    await failure.getByText("taken 1 time").waitFor();
    await plan("completes, after 5 s").getByText("every time").waitFor();
    await plan("expires").getByText("not taken yet").waitFor();
    await plan("completes with a result of its own").waitFor();

    await failure.getByRole("button", { name: "Cancel fails" }).click();
    await expect.poll(() => service.jobs.planned.length).toBe(3);
    const all = page.getByRole("button", { name: "Cancel all: outcomes" });
    await all.click();
    expect(questions.asked).toEqual(["Cancel all outcomes?"]);
    await page.getByText("Nothing is scripted").waitFor();
    expect(service.jobs.planned).toEqual([]);
  });

  test("of an outcome are made for an action and an account", async () => {
    const { page, service } = await open();
    await page.getByText("Script the next job").click();
    const form = page.getByRole("form", { name: "Script the next job" });
    await form.getByLabel("Reason").fill("moderation");
    await form.getByLabel("Action").selectOption("edit-ad");
    await form.getByLabel("Account").fill("test-key");
    await form.getByLabel("Times").fill("");
    await form.getByRole("button", { name: "Script it" }).click();
    await outcomes(page).getByText("edit-ad · test-key").waitFor();
    expect(service.jobs.planned).toMatchObject([
      { fail: "moderation", action: "edit-ad", account: "test-key", remaining: Infinity },
    ]);
  });

  test("of thousands are cut, and the rest is counted", async () => {
    const { page } = await open({
      prepare: ({ faults: { play } }) => {
        for (let count = 0; count < 123; count += 1) play({ kind: "stall" });
      },
    });
    await faults(page).getByText("73 more plans").waitFor();
    expect(await page.locator("#faults-list > li").count()).toBe(50);
    expect(await page.locator("#faults-count").textContent()).toBe("123");
  });
});
