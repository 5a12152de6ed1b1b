/**
 * The mock service for tests that run in Node.
 *
 * @module adgen-sdk/mocks/node
 */

export type {
  MockFixture,
  MockFixtureOptions,
  MockFixtures,
  MockReach,
  MockTest,
} from "./fixture-options.ts";
export { mockFixtures } from "./mock-fixtures.ts";
export type { MockSetupHooks, MockSetupOptions, MockSetupSettings } from "./mock-setup-options.ts";
export { type MockSetup, setupMockServer } from "./setup-mock-server.ts";
export type { OnUnhandled } from "./unhandled-requests.ts";
