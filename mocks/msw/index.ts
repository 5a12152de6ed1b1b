/**
 * MSW handlers that answer with the mock service.
 *
 * @module adgen-sdk/mocks/msw
 */

export { type CreateHandlersOptions, createHandlers } from "./handlers.ts";
