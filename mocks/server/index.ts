/**
 * The whole ad generation service on a local port, for every language and every browser. This adapter
 * imports the service, hono and modules of Node; it also has the page and the command `adgen-mock`.
 *
 * @module adgen-sdk/mocks/server
 */

export {
  type MockServer,
  type MockServerOptions,
  startMockServer,
} from "./start-mock-server.ts";
