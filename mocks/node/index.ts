/**
 * The mock service for tests that run in Node. This adapter imports the service, the guard and the
 * handlers of `mocks/msw`.
 *
 * @module adgen-sdk/mocks/node
 */

export type { OnUnhandled } from "../msw/unhandled-requests.ts";
export {
  type MockSetup,
  type MockSetupOptions,
  setupMockServer,
} from "./setup-mock-server.ts";
