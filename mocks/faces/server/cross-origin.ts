import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";

/** A browser app on another port may read every answer of the service. */
export const corsHeaders: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "x-request-id, retry-after",
};

/** A browser's question before the request itself; the service never hears of it. */
export const isPreflight = (method: string | undefined, headers: IncomingHttpHeaders): boolean =>
  method === "OPTIONS" &&
  headers.origin !== undefined &&
  headers["access-control-request-method"] !== undefined;

/** What browsers may send: a star covers every header except `Authorization`. */
export const preflightHeaders = (headers: IncomingHttpHeaders): Record<string, string> => {
  const asked = headers["access-control-request-headers"];
  const allowed = ["authorization", "content-type"];
  for (const name of (asked ?? "").toLowerCase().split(",")) {
    const trimmed = name.trim();
    if (/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(trimmed) && !allowed.includes(trimmed)) {
      allowed.push(trimmed);
    }
  }
  return {
    ...corsHeaders,
    "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": allowed.join(", "),
    "access-control-max-age": "600",
    vary: "access-control-request-headers, access-control-request-private-network",
    ...(headers["access-control-request-private-network"] === "true" && {
      "access-control-allow-private-network": "true",
    }),
  };
};

const loopbackNames = ["localhost", "127.0.0.1", "::1"];
const wildcards = ["0.0.0.0", "::"];

const bare = (host: string): string => host.toLowerCase().replace(/^\[(.*)\]$/, "$1");

export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(\.\d+){3}$/.test(host);

const hostOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).host : undefined;

/**
 * Why a request may not administer the service; `undefined` when it may. A web page that any
 * site shows can reach loopback: by a name of its own that it points there (its `Host` tells),
 * or by a plain cross-site request (its `Origin` tells).
 */
export const adminRefusal = (
  { host = "", origin, ...headers }: IncomingHttpHeaders,
  url: string,
  listensOn: string,
): string | undefined => {
  const asked = hostOf(`http://${host}`);
  const name = asked === undefined ? undefined : bare(new URL(`http://${asked}`).hostname);
  const known =
    name !== undefined &&
    hostOf(url) === asked &&
    (loopbackNames.includes(name) ||
      name === bare(listensOn) ||
      // Whoever listens everywhere is asked by an address; only names can be pointed elsewhere.
      (wildcards.includes(bare(listensOn)) && isIP(name) > 0));
  if (!known) return "The mock is administered by its own address only: check the Host header";
  // Following a link to the page is no request of the page that has the link.
  const isForeign =
    ["cross-site", "same-site"].includes(String(headers["sec-fetch-site"])) &&
    headers["sec-fetch-mode"] !== "navigate";
  if (isForeign || (origin !== undefined && hostOf(origin) !== asked)) {
    return "The mock is not administered from the pages of other origins";
  }
  return undefined;
};
