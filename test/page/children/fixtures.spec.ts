// Copied beside the guide's own suites and run by test/page/playwright.test.ts.
import { test as base, expect } from "@playwright/test";
import { type ConnectedAccount, connectMock } from "adgen-sdk/mocks/connect";
import {
  type PlaywrightMockTest,
  type PlaywrightMockWorker,
  playwrightFixtures,
} from "adgen-sdk/mocks/playwright";
import { startMockServer } from "adgen-sdk/mocks/server";

const start = () => startMockServer({ accounts: { "test-app": {} } });
const credits = { image: { monthly: 3 } };
const test = base
  .extend<{ own: string }>({ own: "mine" })
  .extend<PlaywrightMockTest, PlaywrightMockWorker>(
    playwrightFixtures({ start, api: "https://api.example.com/ads/", account: { credits } }),
  );

/** The account of a test before. The tests of this file run one after the other. */
let earlier: ConnectedAccount | undefined;

test("leads calls of another origin, whatever key the page sends", async ({
  page,
  account,
  apiKey,
  mock,
  own,
}) => {
  expect([own, apiKey]).toEqual(["mine", account.key]);
  expect(apiKey).toMatch(/^test-.*-whatever-key-the-page-sends-[0-9a-f]{8}$/);
  expect((await account.credits()).image).toEqual({ monthly: 3, purchased: 0 });
  await page.goto("/");
  const status = await page.evaluate(async () => {
    const headers = { authorization: "Bearer real-key", "content-type": "application/json" };
    const body = JSON.stringify({ action: "copy-ad" });
    const submitted = await fetch("https://api.example.com/ads/v1/jobs", {
      method: "POST",
      headers,
      body,
    });
    return [submitted.status, submitted.headers.get("x-request-id") !== null];
  });
  expect(status).toEqual([202, true]);
  await account.journal.assertOne({ operation: "jobs.submit", path: "/v1/jobs" });
  expect((await mock.accounts()).map(({ key }) => key)).toEqual(["test-app", apiKey]);
  earlier = account;
});

test("removes the account of the test before", async ({ account }) => {
  expect(earlier?.key).not.toBe(account.key);
  await expect(earlier?.credits()).rejects.toThrow("The mock has no account");
});

test("ends with an answer that never comes", async ({ page, account }) => {
  await account.faults.play({ kind: "stall" });
  await page.goto("/");
  const asked = page.waitForRequest("https://api.example.com/ads/v1/brands");
  await page.evaluate(() => void fetch("https://api.example.com/ads/v1/brands").catch(() => {}));
  await asked;
  await expect.poll(() => account.faults.planned()).toEqual([]);
});

const withOneKey = base.extend<PlaywrightMockTest, PlaywrightMockWorker>(
  playwrightFixtures({ start, apiKey: "test-app" }),
);

withOneKey("makes the one account as new", async ({ account }) => {
  await account.setCredits({ image: {} });
  earlier = account;
});

withOneKey("finds it as new", async ({ account, mock }) => {
  expect(account.key).toBe("test-app");
  expect((await connectMock(mock.url).account("test-app").credits()).image.monthly).toBe(100);
});

test("fails after a call", async ({ mock, account }) => {
  const headers = { authorization: `Bearer ${account.key}` };
  await fetch(`${mock.url}/v1/brands`, { headers });
  expect(1).toBe(2);
});
