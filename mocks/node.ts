/**
 * The mock service for tests that run in Node.
 *
 * @module adgen-sdk/mocks/node
 */

export type { OnUnhandled } from "./faces/msw/unhandled-requests.ts";
export {
  type MockSetup,
  type MockSetupOptions,
  setupMockServer,
} from "./faces/node/setup-mock-server.ts";
