import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { call, usePages, withoutBrowser } from "./open-page.ts";

const offsetMs = ({ clock }: { clock: { now(): number } }): number =>
  Math.abs(clock.now() - Date.now());

describe.skipIf(withoutBrowser)("the page's clock", () => {
  const open = usePages();

  test("says how far it is ahead, and leads back to real time while nothing is later", async () => {
    const { page, service } = await open();
    const words = page.locator(".moved");
    expect(await words.isVisible()).toBe(false);
    await page.getByRole("button", { name: "+30 min" }).click();
    await page.getByText("30 min ahead of real time").waitFor();
    await page.getByRole("button", { name: "To real time" }).click();
    await page.getByText("The clock shows real time").waitFor();
    await expect.poll(() => words.isVisible()).toBe(false);
    expect(offsetMs(service)).toBeLessThan(10_000);
  });

  test("says why it cannot go back, and goes on", async () => {
    const { page, service } = await open({ tolerate: /status of 409/ });
    await page.getByRole("button", { name: "+1 min" }).click();
    await page.getByText("1 min ahead of real time").waitFor();
    await call(service, "POST", "/v1/jobs", { action: "generate-ad-copy" });
    await page.getByRole("button", { name: "To real time" }).click();
    await page.locator("#message", { hasText: "later than that are 1 × job" }).waitFor();
    await page.getByText("1 min ahead of real time").waitFor();
    await page.getByRole("button", { name: "Reset", exact: true }).click();
    await expect.poll(() => page.locator(".moved").isVisible()).toBe(false);
    expect(offsetMs(service)).toBeLessThan(10_000);
  });
});

describe.skipIf(withoutBrowser)("a snapshot on the page", () => {
  const open = usePages();
  const file = (name: string, text: string) => ({
    name,
    mimeType: "application/json",
    buffer: Buffer.from(text),
  });

  test("is exported to a file of its time, and imported elsewhere after a question", async () => {
    const { page, service, questions } = await open({
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

    service.reset();
    const section = page.getByRole("region", { name: "Snapshot" });
    await section.getByText("Import").first().click();
    await section.getByLabel("File").setInputFiles(file("saved.json", text));
    const button = section.getByRole("button", { name: "Import" });
    questions.isYes = false;
    await button.click();
    expect(questions.asked).toEqual(["Replace everything by the file?"]);
    expect(service.accounts).toHaveLength(1);
    questions.isYes = true;
    await button.click();
    await page.getByText("The snapshot is in place").waitFor();
    expect(service.accounts.map(({ key }) => key)).toEqual(["test-key", "test-late"]);
    expect(service.account("test-key").brands).toMatchObject([{ name: "Lemonade" }]);
  });

  test.each([
    ["notes.txt", "not JSON", /notes\.txt is no snapshot: it is not JSON/],
    ["list.json", "[1]", /body must be a snapshot/],
    ["old.json", '{"version":7}', /version must be 1/],
  ])("is refused as %s, in words, and everything stays", async (name, text, words) => {
    const { page, service } = await open({
      tolerate: /status of 400/,
      prepare: (fresh) => call(fresh, "POST", "/v1/brands", { name: "Lemonade" }),
    });
    const section = page.getByRole("region", { name: "Snapshot" });
    await section.getByText("Import").first().click();
    await section.getByLabel("File").setInputFiles(file(name, text));
    await section.getByRole("button", { name: "Import" }).click();
    const message = page.locator("#message[data-kind=failed]");
    await message.waitFor();
    expect(await message.textContent()).toMatch(words);
    expect(service.account("test-key").brands).toHaveLength(1);
  });
});
