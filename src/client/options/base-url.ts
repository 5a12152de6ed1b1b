import { describeValue } from "../errors/text.ts";
import { parseUrl } from "../internal/platform.ts";
import type { BaseUrl } from "./client-options.ts";
import { orFromEnvironment } from "./environment.ts";
import { refuseOption } from "./rules.ts";

/** Cuts slashes off the end. A regular expression would take quadratic time for many slashes. */
const withoutSlashes = (path: string): string => {
  let end = path.length;
  while (path[end - 1] === "/") end--;
  return path.slice(0, end);
};

/** Describes what an address must do and doesn't. Returns `undefined` for a usable address. */
const problemOf = (url: URL | undefined): string | undefined => {
  if (!url?.protocol.match(/^https?:$/)) return "begin with http:// or https://";
  if (url.username || url.password) return "not hold a user name or a password (use apiKey)";
  if (url.search || url.hash) return "not have a query or a fragment (what follows ? or #)";
  if (withoutSlashes(url.pathname).endsWith("/v1")) return "not end in /v1 (the client adds it)";
  return undefined;
};

/** Checks the address of the service. Throws a `ConfigError` if it is unusable. */
export const resolveServiceUrl = (given: unknown): BaseUrl => {
  const base = orFromEnvironment("createClient", "baseUrl", given, "ADGEN_BASE_URL");
  if (typeof base !== "string" && !(base instanceof URL)) {
    return refuseOption(`baseUrl must be text or a URL, got ${describeValue(base)}`);
  }
  const text = String(base);
  // Without a leading slash, the text is a host whose https:// was forgotten. With two, it would
  // lead a page to another host. URLs read "\" as a slash, and skip tabs.
  const isRelative = /^\.{0,2}\/(?![/\\\s])/.test(text);
  const url = parseUrl(text, isRelative ? globalThis.location?.href : undefined);
  if (url === undefined && isRelative) return { relative: text };
  const problem = problemOf(url);
  // An address may hold secrets before an "@" or after a "?", so such an address isn't quoted.
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
  // RFC 6761 reserves .test for tests.
  return !/^(localhost|.*\.(localhost|test)|127(\.\d+){3}|\[::1\])$/.test(hostname);
};
