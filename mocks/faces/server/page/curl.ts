import { html } from "hono/html";
import type { Html } from "./markup.ts";

/** Longest body that is worth a place on a command line. */
const longestBody = 20_000;

/** Quotes a text for a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Writes a request as a curl command.
 *
 * @param key - API key that was sent: masked when it is the key of no account
 * @param body - JSON, or text that is no JSON
 */
export const asCurl = (url: string, method: string, key?: string, body?: unknown): string => {
  const sent = typeof body === "string" ? body : JSON.stringify(body);
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quote(url)}`,
    ...(key === undefined ? [] : [`-H ${quote(`Authorization: Bearer ${key}`)}`]),
    ...(sent === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quote(sent)}`]),
  ].join(" \\\n  ");
};

/** Button that copies a request as a curl command, unless that is too long for one. */
export const copyAsCurl = (...request: Parameters<typeof asCurl>): Html | false => {
  const text = asCurl(...request);
  return (
    text.length < longestBody &&
    html`<button type="button" data-copy="${text}">Copy as curl</button>`
  );
};
