import { type Replaced, replaceProperty } from "../guard/replace-property.ts";

/** Names a request by method and URL. Requests of the same name are refused for the same reason. */
const nameOf = (method: string, url: string): string => `${method.toUpperCase()} ${url}`;

/** Identifies the request of a call of `fetch`, without reading its body. */
const nameOfCall = (input: Request | string | URL, method: string | undefined): string =>
  input instanceof Request
    ? nameOf(method ?? input.method, input.url)
    : nameOf(method ?? "GET", new URL(input, globalThis.location?.href).href);

/**
 * Adds the reason of a refusal to the error of the page's `fetch`. A browser says "Failed to fetch" for
 * every failure, so a client would have to assume that the request was sent.
 */
export const createExplainer = () => {
  const refused = new Map<string, Error>();
  let placed: Replaced | undefined;
  return {
    /** Notes a refusal before the page sees it. */
    note: ({ method, url }: Request, error: Error): void =>
      void refused.set(nameOf(method, url), error),
    start: (): void => {
      placed ??= replaceProperty(globalThis, "fetch", (fetch) => async (input, init) => {
        const name = nameOfCall(input, init?.method);
        // Forget the refusal of an earlier request, because a handler may answer this request.
        refused.delete(name);
        try {
          return await fetch(input, init);
        } catch (error) {
          const cause = refused.get(name);
          throw cause === undefined ? error : new TypeError("Failed to fetch", { cause });
        }
      });
    },
    stop: (): void => {
      if (placed?.undo()) placed = undefined;
    },
  };
};
