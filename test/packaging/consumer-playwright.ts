/** A consumer of the fixtures for Playwright: type-checked against the packed package, never run. */
import { test as base } from "@playwright/test";
import {
  mockFixtures,
  type PlaywrightMockTest,
  type PlaywrightMockWorker,
} from "adgen-sdk/mocks/playwright";

const test = base
  .extend<{ mine: string }>({ mine: "own" })
  .extend<PlaywrightMockTest, PlaywrightMockWorker>(
    mockFixtures({ url: "http://127.0.0.1:4010", api: "/api" }),
  );

test("has the fixtures of both", async ({ mine, page, account, apiKey, mock }) => {
  await page.goto(`${mock.url}/${mine}`);
  await account.faults.play({ kind: "reset" });
  // @ts-expect-error: a key is text
  apiKey.toFixed();
});
