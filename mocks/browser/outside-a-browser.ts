import type { setupMockWorker as inABrowser } from "./setup-mock-worker.ts";

/**
 * Replaces `setupMockWorker` where a page is only rendered, as on the server of Next.js. There the import
 * works, but a call doesn't.
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
