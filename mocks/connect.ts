/**
 * Steers a mock server of another process, as a test steers its own service.
 *
 * @module adgen-sdk/mocks/connect
 */

export { connectMock } from "./faces/remote/connect-mock.ts";
export type { ConnectedAccount, ConnectedMock, OverHttp } from "./faces/remote/connected-mock.ts";
export type { ConnectOptions } from "./faces/remote/connection.ts";
