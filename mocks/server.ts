/**
 * The whole ad generation service on a local port, for every language and every browser.
 *
 * @module adgen-sdk/mocks/server
 */

export type { MockServerOptions } from "./faces/server/server-options.ts";
export { type MockServer, startMockServer } from "./faces/server/start-mock-server.ts";
