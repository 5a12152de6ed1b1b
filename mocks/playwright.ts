/**
 * The mock service for tests that run in Playwright.
 *
 * @module adgen-sdk/mocks/playwright
 */

export { mockFixtures } from "./faces/playwright/mock-fixtures.ts";
export type {
  PlaywrightMockFixtures,
  PlaywrightMockOptions,
  PlaywrightMockTest,
  PlaywrightMockWorker,
  StartedServer,
} from "./faces/playwright/playwright-options.ts";
