import type { BrowserContext, TestInfo } from "@playwright/test";
import { requireTool } from "../../../src/require-tool.ts";
import { slug } from "../../seeded/ids.ts";
import { connectMock } from "../remote/connect-mock.ts";
import type { ConnectedAccount, ConnectedMock } from "../remote/connected-mock.ts";
import { leadRequests, resolveApi } from "./lead-requests.ts";
import type { PlaywrightMockFixtures, PlaywrightMockOptions } from "./playwright-options.ts";

const playwright = {
  name: "@playwright/test",
  lowest: "1.41",
  install: "npm install --save-dev @playwright/test",
};

/** Requests in the report of a failed test, the latest. */
const attachedRequests = 1000;

/** Creates a key from the test's title: unique, and the same in every run. */
const keyOf = ({ title, testId }: TestInfo): string => `test-${slug(title)}-${testId.slice(-8)}`;

/** Adds the requests of a test's account to the report, when the test has failed. */
const attachJournal = async (testInfo: TestInfo, account: ConnectedAccount): Promise<void> => {
  if (testInfo.status === testInfo.expectedStatus) return;
  const entries = await account.journal.latest(attachedRequests);
  await testInfo.attach("mock-journal.json", {
    body: JSON.stringify(entries, undefined, 2),
    contentType: "application/json",
  });
};

const requireServer = ({ url, start }: PlaywrightMockOptions): void => {
  if ((url === undefined) === (start === undefined)) {
    throw new TypeError(
      "The mock's fixtures must have either url, of a server that runs, or start, such as startMockServer",
    );
  }
};

/** Adds the cookie with the test's key, for the app's own server. */
const addCookie = async (
  context: BrowserContext,
  cookie: string,
  apiKey: string,
  baseURL: string | undefined,
): Promise<void> => {
  if (baseURL === undefined) {
    throw new TypeError(`The mock's cookie "${cookie}" needs Playwright's use.baseURL`);
  }
  await context.addCookies([{ name: cookie, value: apiKey, url: baseURL }]);
};

/**
 * Creates fixtures for Playwright's `test.extend`. Each test gets an account of its own on a mock
 * server, and the requests of its pages get there. The journal of a failed test is in its report.
 *
 * @throws TypeError when there is neither `url` nor `start`, or both
 * @example
 * ```ts
 * const fixtures = playwrightFixtures({ start: startMockServer, api: "/api/ads" });
 * const test = base.extend<PlaywrightMockTest, PlaywrightMockWorker>(fixtures);
 * test("says that the credits are used up", async ({ page, account }) => {
 *   await account.setCredits({ image: { monthly: 0 } });
 *   await page.goto("/");
 * });
 * ```
 */
export const playwrightFixtures = (options: PlaywrightMockOptions): PlaywrightMockFixtures => {
  requireTool("adgen-sdk/mocks/playwright", playwright, true);
  requireServer(options);
  const { url = "", start, api, cookie, apiKey: fixedKey, account: accountOptions } = options;

  /** Opens the account of a key as new. */
  const openAccount = async (mock: ConnectedMock, key: string): Promise<ConnectedAccount> => {
    const account = mock.account(key);
    if (fixedKey !== undefined && accountOptions === undefined) {
      await account.reset();
      return account;
    }
    // A run that was killed has left it behind.
    await account.remove();
    return mock.openAccount({ ...accountOptions, key });
  };

  // Playwright reads the names in these patterns from the functions' text.
  return {
    mock: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a pattern
      async ({}, use) => {
        const server = await start?.();
        const mock = connectMock(server?.url ?? url);
        await mock.ready();
        await use(mock);
        await server?.close();
      },
      { scope: "worker" },
    ],
    // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a pattern
    apiKey: async ({}, use, testInfo) => use(fixedKey ?? keyOf(testInfo)),
    account: async ({ mock, apiKey }, use, testInfo) => {
      const account = await openAccount(mock, apiKey);
      await use(account);
      await attachJournal(testInfo, account);
      await (fixedKey === undefined ? account.remove() : account.reset());
    },
    context: async ({ context, account, mock, baseURL }, use) => {
      const { key: apiKey } = account;
      if (cookie !== undefined) await addCookie(context, cookie, apiKey, baseURL);
      const stop =
        api === undefined
          ? undefined
          : await leadRequests(context, resolveApi(api, baseURL), { url: mock.url, apiKey });
      await use(context);
      await stop?.();
    },
  };
};
