/**
 * The whole ad generation service on a local port, for every language and every browser.
 *
 * @module adgen-sdk/mocks/server
 */

export {
  type MockServer,
  type MockServerOptions,
  startMockServer,
} from "./start-mock-server.ts";
