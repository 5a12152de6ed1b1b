/**
 * The stand-in that Node gets for `adgen-sdk/mocks/browser`.
 *
 * @module adgen-sdk/mocks/browser
 */

export { setupMockWorker } from "./outside-a-browser.ts";
