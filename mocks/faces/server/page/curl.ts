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
