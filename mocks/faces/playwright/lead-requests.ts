import type { BrowserContext, Route } from "@playwright/test";

/** Start of all URLs of an API, without a slash at its end. */
export const resolveApi = (api: string, baseURL: string | undefined): string => {
  const url = URL.canParse(api, baseURL) ? new URL(api, baseURL) : undefined;
  if (url === undefined) {
    throw new TypeError(`The mock's api "${api}" is a path, and needs Playwright's use.baseURL`);
  }
  return url.href.replace(/\/+$/, "");
};

/** Pattern of all URLs at a place or below it. */
const below = (place: string): RegExp =>
  new RegExp(`^${place.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}(?=[/?#]|$)`);

/**
 * Leads the requests that pages send to an API to a mock server, with a key of its own. Returns the
 * function that stops it.
 *
 * @param api - Start of the URLs of the API
 */
export const leadRequests = async (
  context: BrowserContext,
  api: string,
  mock: { readonly url: string; readonly apiKey: string },
): Promise<() => Promise<void>> => {
  const lead = async (route: Route): Promise<void> => {
    const request = route.request();
    try {
      const response = await route.fetch({
        url: mock.url + request.url().slice(api.length),
        headers: { ...request.headers(), authorization: `Bearer ${mock.apiKey}` },
        maxRedirects: 0,
        // A late answer is for the app to wait for, or not.
        timeout: 0,
      });
      await route.fulfill({ response });
    } catch {
      // A fault has broken the connection, or the page is gone.
      await route.abort("connectionreset").catch(() => {});
    }
  };
  await context.route(below(api), lead);
  return () => context.unrouteAll({ behavior: "ignoreErrors" });
};
