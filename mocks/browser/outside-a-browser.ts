import type { setupMockWorker as inABrowser } from "./setup-mock-worker.ts";

/**
 * Takes the place of `setupMockWorker` where a page's code is only rendered, as on the server of
 * Next.js. Importing works there.
 *
 * @throws Error at every call
 */
export const setupMockWorker: typeof inABrowser = () => {
  throw new Error(
    "setupMockWorker was called outside a browser, where there is no service worker. In a page's " +
      "code, call it after the page has loaded, as in an effect. In Node, use setupMockServer of " +
      '"adgen-sdk/mocks/node".',
  );
};
