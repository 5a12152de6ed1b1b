/** A user of the fixtures for Playwright. */
import type { test as base } from "@playwright/test";
import {
  type PlaywrightMockTest,
  type PlaywrightMockWorker,
  playwrightFixtures,
} from "adgen-sdk/mocks/playwright";

declare const test: typeof base;

const fixtures = playwrightFixtures({ url: "http://127.0.0.1:4010", api: "/api" });

export const extend = () =>
  test
    .extend<{ mine: string }>({ mine: "own" })
    .extend<PlaywrightMockTest, PlaywrightMockWorker>(fixtures)(
    "has the fixtures of both",
    async ({ mine, page, account, apiKey, mock }) => {
      await page.goto(`${mock.url}/${mine}`);
      await account.faults.play({ kind: "reset" });
      // @ts-expect-error: a key is text
      apiKey.toFixed();
    },
  );

// Playwright reads from the first parameter of a fixture which others it needs.
const namesOf = (fixture: unknown) =>
  /\{([^}]*)\}/.exec(String(fixture))?.[1]?.match(/\w+/g)?.sort();

export const use = (): string => `${namesOf(fixtures.account)} ${namesOf(fixtures.context)}`;
