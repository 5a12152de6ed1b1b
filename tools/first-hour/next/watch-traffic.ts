import type { BrowserContext } from "playwright";

/** Collects what all pages of a browser send and get, with all headers, and the pages' errors. */
export const watchTraffic = (context: BrowserContext) => {
  const texts: Promise<string>[] = [];
  const errors: string[] = [];
  context.on("response", (response) => {
    const read = async (): Promise<string> => {
      const request = response.request();
      const heads = [await request.allHeaders(), await response.allHeaders()];
      // A redirect, or an answer that was cut off, has no body to read.
      const body = await response.text().catch(() => "");
      return `${request.url()} ${request.postData() ?? ""} ${JSON.stringify(heads)} ${body}`;
    };
    texts.push(read().catch(() => ""));
  });
  context.on("weberror", (error) => errors.push(String(error.error())));
  context.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  return { texts: () => Promise.all(texts), errors };
};
