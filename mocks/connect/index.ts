/**
 * Controls a mock server in another process, like a service in your own. It imports only types of the
 * mock, so that it stays small.
 *
 * @module adgen-sdk/mocks/connect
 */

export {
  type ConnectedAccount,
  type ConnectedMock,
  connectMock,
  type OverHttp,
} from "./connect-mock.ts";
