import type { BrowserContext } from "playwright";

/** Everything that a browser got, to search in. */
export interface Traffic {
  /** Texts of all answers, with their headers, and of all requests. */
  readonly texts: () => Promise<readonly string[]>;
  /** Errors of pages and of their consoles. */
  readonly errors: readonly string[];
}

/** Collects what all pages of a browser send and get. */
export const watchTraffic = (context: BrowserContext): Traffic => {
  const texts: Promise<string>[] = [];
  const errors: string[] = [];
  context.on("response", (response) => {
    const read = async (): Promise<string> => {
      const request = response.request();
      const heads = [await request.allHeaders(), await response.allHeaders()];
      const head = `${request.url()} ${request.postData() ?? ""} ${JSON.stringify(heads)}`;
      try {
        return `${head} ${await response.text()}`;
      } catch {
        // A redirect, or an answer that was cut off, has no body to read.
        return head;
      }
    };
    texts.push(read().catch(() => ""));
  });
  context.on("weberror", (error) => errors.push(String(error.error())));
  context.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  return { texts: () => Promise.all(texts), errors };
};
