/**
 * The mock service for browsers: tests that run in one, and an app in development.
 *
 * @module adgen-sdk/mocks/browser
 */

export {
  type MockWorker,
  type MockWorkerOptions,
  setupMockWorker,
} from "./setup-mock-worker.ts";
