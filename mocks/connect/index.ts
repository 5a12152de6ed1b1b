/**
 * Steers a mock server of another process, as a test steers its own service.
 *
 * @module adgen-sdk/mocks/connect
 */

export {
  type ConnectedAccount,
  type ConnectedMock,
  connectMock,
  type OverHttp,
} from "./connect-mock.ts";
