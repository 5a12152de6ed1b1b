// Playwright: the page's own server calls the mock server, so nothing is intercepted in the browser.
// playwright.config.ts starts that server with ADGEN_BASE_URL=http://127.0.0.1:4471 and test-key:
//
//   webServer: [{ command: "npx adgen-mock", url: "http://127.0.0.1:4471/__mock/health" }, …]
import { expect, test } from "@playwright/test";
import { connectMock } from "adgen-sdk/mocks/connect";

const mock = connectMock(process.env["ADGEN_BASE_URL"] ?? "http://127.0.0.1:4471");
test.describe.configure({ mode: "serial" }); // the tests share one account
test.beforeEach(() => mock.reset());

test("an order is paid once, and outlives a reload", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Ada" }).click();
  await page.getByLabel("Your ad").fill("Lemonade");
  await page.getByRole("button", { name: "Order" }).click();
  await page.reload();
  await expect(page.getByRole("img", { name: "Lemonade" })).toBeVisible({ timeout: 30_000 });
  await mock.account("test-key").assertCharges([{ credit: "image", amount: 1 }]);
});

test("a visitor is told of an outage in words", async ({ page }) => {
  const outage = { kind: "status", status: 500 } as const;
  await mock.faults.play(outage, { operation: "jobs.submit", times: 10 });
  await page.goto("/");
  await page.getByRole("button", { name: "Grace" }).click();
  await page.getByLabel("Your ad").fill("Iced tea");
  await page.getByRole("button", { name: "Order" }).click();
  await expect(page.getByRole("alert")).toBeVisible({ timeout: 30_000 });
  await mock.account("test-key").assertCharges([]);
});
