/**
 * The mock service for tests that run in Playwright.
 *
 * @module adgen-sdk/mocks/playwright
 */

export { playwrightFixtures } from "./faces/playwright/mock-fixtures.ts";
export type {
  PlaywrightMockFixtures,
  PlaywrightMockOptions,
  PlaywrightMockTest,
  PlaywrightMockWorker,
} from "./faces/playwright/playwright-options.ts";
