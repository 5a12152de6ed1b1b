import { describe, expect, test } from "vitest";
import { startMockServer } from "../../mocks/server.ts";
import { usePages, withoutBrowser } from "./open-page.ts";
import { call, timedJobs } from "./services.ts";

const ad = { action: "generate-ad", prompt: "Summer sale" };

describe.skipIf(withoutBrowser)("the page", () => {
  const open = usePages();

  test("keeps half-filled forms, choices, the selection and the scroll through a refresh", async () => {
    const { page, service, look } = await open({
      service: { accounts: { "test-a": {}, "test-b": {}, "test-c": {} } },
      viewport: { width: 1280, height: 500 },
      prepare: (fresh) => call(fresh, "POST", "/v1/jobs", ad, "test-a"),
    });
    await page.getByText("New job").click();
    await page.locator(".entry").click();
    const details = page.getByRole("article", { name: "Request 1, sent and answered" });
    await details.getByText('"prompt": "Summer sale"').waitFor();
    await page.getByText("Plan a fault").click();
    const fault = page.getByRole("form", { name: "Plan a fault" });
    await fault.getByLabel("Kind").selectOption("latency");
    await fault.getByLabel("Milliseconds").fill("750");
    await fault.getByLabel("Times").selectOption("always");
    await fault.getByLabel("Account").fill("test-c");
    await page.getByText("Script the next job").click();
    const script = page.getByRole("form", { name: "Script the next job" });
    await script.getByLabel("Fails with").fill("");
    await page.getByRole("link", { name: "test-a" }).click();
    await page.locator("summary", { hasText: "Ledger" }).first().click();
    await page.getByLabel("Variations").fill("7");
    const prompt = page.getByLabel("Prompt");
    await prompt.fill("Half of a sentence");
    const element = await prompt.elementHandle();
    await prompt.evaluate((field: HTMLInputElement) => {
      field.setSelectionRange(5, 7);
      scrollTo(0, 90);
    });
    const state = () =>
      prompt.evaluate((field: HTMLInputElement) => ({
        values: [...document.querySelectorAll<HTMLInputElement>("main input, main select")].map(
          ({ name, value, disabled }) => ({ name, value, disabled }),
        ),
        hidden: [...document.querySelectorAll("fieldset:disabled")].map(
          ({ textContent }) => textContent,
        ),
        open: [...document.querySelectorAll("details[open]")].map(({ id }) => id),
        isFocused: document.activeElement === field,
        selection: [field.selectionStart, field.selectionEnd],
        scroll: scrollY,
      }));
    const before = await state();
    expect(before.scroll).toBe(90);
    expect([before.isFocused, before.selection]).toEqual([true, [5, 7]]);
    expect(before.open).toEqual(["new-job", "ledger-test-a", "plan-fault", "script-next-job"]);

    service.addAccount("test-0");
    await call(service, "POST", "/v1/jobs", ad, "test-b");
    service.account("test-a").grant({ image: { monthly: 2 } });
    await look();
    await page.getByRole("heading", { name: "Accounts 4" }).waitFor();
    await page.getByRole("heading", { name: "Jobs 2" }).waitFor();
    await page.getByRole("row", { name: "image 101 0 101 1" }).waitFor();
    expect(await state()).toEqual(before);
    expect(await element?.evaluate((node) => node === document.activeElement)).toBe(true);
    expect(await details.getByText('"prompt": "Summer sale"').isVisible()).toBe(true);
    expect(await page.locator("#account-keys option").count()).toBe(4);
  });

  test("polls once a second, unless it is hidden, and touches nothing while nothing changes", async () => {
    const { page, asked } = await open({
      service: timedJobs(),
      prepare: (fresh) => call(fresh, "POST", "/v1/jobs", ad),
    });
    await page.clock.install();
    await page.reload();
    await page.locator("[data-link=live]").waitFor();
    await page.evaluate(() => {
      const changes: string[] = [];
      const everything = { subtree: true, childList: true, attributes: true, characterData: true };
      Object.assign(window, { changes });
      new MutationObserver((all) => {
        for (const { target } of all) changes.push(target.nodeName);
      }).observe(document.body, everything);
    });
    const answers: number[] = [];
    const polls = (): number => asked.filter((url) => url.includes("/__mock/body")).length;
    page.on("response", (response) => {
      if (response.url().includes("/__mock/body")) answers.push(response.status());
    });
    const setVisibility = (state: "hidden" | "visible"): Promise<void> =>
      page.evaluate((value) => {
        Object.defineProperty(document, "visibilityState", { value, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    /** Every poll that is under way has been answered when a later request has. */
    const settle = (): Promise<unknown> => page.evaluate(() => fetch("/__mock/clock"));

    const first = polls();
    await page.clock.runFor(1_000);
    await expect.poll(polls).toBe(first + 1);
    await setVisibility("hidden");
    // The page polls a last time as it is hidden.
    await expect.poll(polls).toBe(first + 2);
    await settle();
    await page.clock.runFor(60_000);
    await settle();
    expect(polls()).toBe(first + 2);
    expect(answers).toEqual([304, 304]);
    expect(await page.evaluate(() => Reflect.get(window, "changes"))).toEqual([]);
    await setVisibility("visible");
    await expect.poll(polls).toBeGreaterThan(first + 2);
  });

  test("says that the server has gone, and goes on when it is back", async () => {
    const { page, service, url, look, stop } = await open({
      tolerate: /ERR_CONNECTION|ERR_EMPTY/,
    });
    await stop();
    await look();
    await page.getByText("Server is gone. Trying again…").waitFor();
    await page.getByRole("button", { name: "+10 s" }).click();
    await page.locator("[data-message=failed] #message").waitFor();

    await using server = await startMockServer({ service, port: Number(new URL(url).port) });
    expect(server.url).toBe(url);
    await look();
    await page.locator("[data-link=live]").waitFor();
    await page.getByText("The server is back").waitFor();
    await call(service, "POST", "/v1/jobs", ad);
    await page.locator(".card").waitFor();
  });
});
