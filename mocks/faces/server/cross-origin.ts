import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

const loopbackNames = ["localhost", "127.0.0.1", "::1"];
const wildcards = ["0.0.0.0", "::"];

const bare = (host: string): string => host.toLowerCase().replace(/^\[(.*)\]$/, "$1");

const isOwnName = (name: string, listensOn: string): boolean =>
  loopbackNames.includes(name) ||
  name === bare(listensOn) ||
  // When bound to 0.0.0.0, accept any IP in Host, but no names: DNS rebinding needs a name.
  (wildcards.includes(bare(listensOn)) && isIP(name) > 0);

/**
 * Tells why a request may not administer the service; `undefined` when it may. The page of any
 * site can reach loopback. `Host` shows a name that its owner has pointed there. `Origin` and
 * `Sec-Fetch-Site` show a plain cross-site request.
 */
export const adminRefusal = (
  { method, headers }: Pick<IncomingMessage, "method" | "headers">,
  url: URL,
  listensOn: string,
): string | undefined => {
  const { host = "", origin } = headers;
  const asked = URL.parse(`http://${host}`);
  if (asked?.host !== url.host || !isOwnName(bare(asked.hostname), listensOn)) {
    return "The mock is administered by its own address only: check the Host header";
  }
  // A link on another page may lead to the mock's page: the browser navigates. A form there would
  // navigate by a POST.
  const isLink =
    headers["sec-fetch-mode"] === "navigate" && (method === "GET" || method === "HEAD");
  const isForeign =
    ["cross-site", "same-site"].includes(String(headers["sec-fetch-site"])) && !isLink;
  if (isForeign || (origin !== undefined && URL.parse(origin)?.host !== url.host)) {
    return "The mock is not administered from the pages of other origins";
  }
  return undefined;
};
