import { type Replaced, replaceProperty } from "../guard/replace-property.ts";

/** Names a request. Two of one name that are refused at a time are refused for the same reason. */
const nameOf = (method: string, url: string): string => `${method.toUpperCase()} ${url}`;

/** Names the request of a call of `fetch`, whose body stays unread. */
const nameOfCall = (input: Request | string | URL, method: string | undefined): string =>
  input instanceof Request
    ? nameOf(method ?? input.method, input.url)
    : nameOf(method ?? "GET", new URL(input, globalThis.location?.href).href);

/**
 * Gives the errors of the page's `fetch` the reason why the mock has refused a request. A browser
 * says "Failed to fetch" of every failure, and a client must think that the request was sent.
 */
export const createExplainer = () => {
  const refused = new Map<string, Error>();
  let placed: Replaced | undefined;
  return {
    /** Notes a refusal that the page is about to see. */
    note: ({ method, url }: Request, error: Error): void =>
      void refused.set(nameOf(method, url), error),
    start: (): void => {
      placed ??= replaceProperty(globalThis, "fetch", (fetch) => async (input, init) => {
        const name = nameOfCall(input, init?.method);
        // Of an earlier request: this one may find a handler.
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
