/**
 * MSW handlers that answer with the mock service. This adapter imports the service, the guard and MSW;
 * the adapters for Node and browsers build on it.
 *
 * @module adgen-sdk/mocks/msw
 */

export { type CreateHandlersOptions, createHandlers } from "./handlers.ts";
