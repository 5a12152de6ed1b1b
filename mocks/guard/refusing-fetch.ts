import { markRefused } from "./refused.ts";
import { type Replaced, replaceProperty } from "./replace-property.ts";
import { readUrl } from "./urls.ts";

/** Returns why a request may not be sent; `undefined` if it may. */
export type RefusalOf = (url: URL | undefined) => Error | undefined;

/** Parses a URL as the page does, if there is one; `undefined` if it is invalid. */
export const readPageUrl = (text: string | URL): URL | undefined =>
  readUrl(text, globalThis.document?.baseURI);

/** Replaces the global `fetch` by a function that refuses requests by a rule. */
export const refuseByFetch = (refusalOf: RefusalOf): Replaced =>
  replaceProperty(globalThis, "fetch", (fetch) => async (input, init) => {
    const url = readPageUrl(input instanceof Request ? input.url : String(input));
    // The replaced `fetch` refuses an invalid URL itself.
    const error = url && refusalOf(url);
    if (error === undefined) return fetch(input, init);
    // `fetch` fails in the same way when it gets no connection.
    throw markRefused(new TypeError("fetch failed", { cause: error }), url?.href ?? "");
  });

/** Makes the `open` of an `XMLHttpRequest` throw for requests that are refused. */
export const refuseByXhr = (refusalOf: RefusalOf): Replaced =>
  replaceProperty(XMLHttpRequest.prototype, "open", (open) => {
    return function (this: XMLHttpRequest, ...args: readonly [string, string | URL]) {
      const url = readPageUrl(args[1]);
      const error = url && refusalOf(url);
      if (error !== undefined) throw error;
      open.apply(this, args as never);
    };
  });
