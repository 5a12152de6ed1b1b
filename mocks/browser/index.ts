/**
 * The mock service for browsers: for tests that run in one, and for an app in development. This adapter
 * imports the service, the guard and the handlers of `mocks/msw`, and nothing of Node.
 *
 * @module adgen-sdk/mocks/browser
 */

export {
  type MockWorker,
  type MockWorkerOptions,
  setupMockWorker,
} from "./setup-mock-worker.ts";
