import { markRefused } from "./refused.ts";
import { type Replaced, replaceProperty } from "./replace-property.ts";

/** Returns the reason why a request may not be sent; `undefined` where it may. */
export type RefusalOf = (url: URL | undefined) => Error | undefined;

/** Replaces the global `fetch` by a function that refuses requests, where no channel tells of them. */
export const refuseByFetch = (refusalOf: RefusalOf): Replaced =>
  replaceProperty(globalThis, "fetch", (fetch) => async (input, init) => {
    const text = input instanceof Request ? input.url : String(input);
    const base = globalThis.document?.baseURI;
    // The `fetch` behind refuses a URL that cannot be read.
    const error = URL.canParse(text, base) ? refusalOf(new URL(text, base)) : undefined;
    if (error === undefined) return fetch(input, init);
    // As `fetch` fails when it gets no connection.
    throw markRefused(new TypeError("fetch failed", { cause: error }), new URL(text, base).href);
  });
