import { describeValue } from "../errors/text.ts";
import { parseUrl } from "../internal/parse-url.ts";
import type { BaseUrl } from "./client-options.ts";
import { orFromEnvironment } from "./environment.ts";
import { refuseOption } from "./rules.ts";

/** A loop, because a regular expression takes quadratic time for many slashes. */
const withoutSlashes = (path: string): string => {
  let end = path.length;
  while (path[end - 1] === "/") end--;
  return path.slice(0, end);
};

/** What an address must do, and does not; `undefined` when nothing is wrong with it. */
const problemOf = (url: URL | undefined): string | undefined => {
  if (!url?.protocol.match(/^https?:$/)) return "begin with http:// or https://";
  if (url.username || url.password) return "not hold a user name or a password (use apiKey)";
  if (url.search || url.hash) return "not have a query or a fragment (what follows ? or #)";
  if (withoutSlashes(url.pathname).endsWith("/v1")) return "not end in /v1 (the client adds it)";
  return undefined;
};

/** Checks the address of the service; what is wrong with it is a `ConfigError`. */
export const resolveServiceUrl = (given: unknown): BaseUrl => {
  const base = orFromEnvironment("createClient", "baseUrl", given, "ADGEN_BASE_URL");
  if (typeof base !== "string" && !(base instanceof URL)) {
    return refuseOption(`baseUrl must be text or a URL, got ${describeValue(base)}`);
  }
  const text = String(base);
  // Without a slash at its beginning it is a host whose https:// was forgotten. With two it leads a
  // page to another host; URLs take "\" for a slash, and leave tabs out.
  const isRelative = /^\.{0,2}\/(?![/\\\s])/.test(text);
  const url = parseUrl(text, isRelative ? globalThis.location?.href : undefined);
  if (url === undefined && isRelative) return { relative: text };
  const problem = problemOf(url);
  // An address may hold secrets before an "@" or behind a "?": it is quoted only without these.
  const got = /[@?#]/.test(text) ? "" : `, got ${describeValue(text)}`;
  return url === undefined || problem !== undefined
    ? refuseOption(`baseUrl must ${problem}${got}`)
    : { url: url.origin + withoutSlashes(url.pathname) };
};

/** Whether a request to `url` stays on the origin of this page, or of this page's worker. */
export const isOwnOrigin = ({ url }: BaseUrl): boolean =>
  url !== undefined && new URL(url).origin === globalThis.location?.origin;

/** Whether what is sent to `url` can be read on its way. */
export const isUnencrypted = ({ url = "https://" }: BaseUrl): boolean => {
  if (!url.startsWith("http:")) return false;
  const { hostname } = new URL(url);
  // Names below .test exist in tests alone (RFC 6761).
  return !/^(localhost|.*\.(localhost|test)|127(\.\d+){3}|\[::1\])$/.test(hostname);
};
