import { markRefused } from "./refused.ts";
import { type Replaced, replaceProperty } from "./replace-property.ts";

/** Returns why a request may not be sent; `undefined` if it may. */
export type RefusalOf = (url: URL | undefined) => Error | undefined;

/** Replaces the global `fetch` by a function that refuses requests, where no channel reports them. */
export const refuseByFetch = (refusalOf: RefusalOf): Replaced =>
  replaceProperty(globalThis, "fetch", (fetch) => async (input, init) => {
    const text = input instanceof Request ? input.url : String(input);
    const base = globalThis.document?.baseURI;
    // The `fetch` behind refuses an invalid URL.
    const error = URL.canParse(text, base) ? refusalOf(new URL(text, base)) : undefined;
    if (error === undefined) return fetch(input, init);
    // `fetch` fails in the same way when it gets no connection.
    throw markRefused(new TypeError("fetch failed", { cause: error }), new URL(text, base).href);
  });

/** Makes the `open` of an `XMLHttpRequest` throw for requests that are refused. */
export const refuseByXhr = (refusalOf: RefusalOf): Replaced =>
  replaceProperty(XMLHttpRequest.prototype, "open", (open) => {
    return function (this: XMLHttpRequest, ...args: readonly [string, string | URL]) {
      const [, url] = args;
      const base = globalThis.document?.baseURI;
      const error = URL.canParse(url, base) ? refusalOf(new URL(url, base)) : undefined;
      if (error !== undefined) throw error;
      open.apply(this, args as never);
    };
  });
