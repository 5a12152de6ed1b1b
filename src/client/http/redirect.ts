import { oneLine } from "../errors/text.ts";
import { parseUrl } from "../internal/platform.ts";
import type { AttemptEnd, Call } from "./call.ts";

/**
 * Statuses that ask for the same resource elsewhere. A 303 may follow a request that was carried
 * out.
 */
const elsewhere = [301, 302, 307, 308];

/** Spells a path as routers do: in lower case, without double slashes and a final slash. */
const spell = ({ hostname, pathname }: URL): string =>
  hostname + pathname.toLowerCase().replace(/\/+/g, "/").replace(/\/$/, "");

const targetOf = ({ url }: Call, { headers }: AttemptEnd): URL | undefined => {
  const location = headers?.get("location");
  return location ? parseUrl(location, url) : undefined;
};

/**
 * Whether a response only redirects to another spelling of its own URL: with or without a slash, in
 * lower case, or from http to https. A router sends such a redirect before any handler runs. A
 * handler that has carried the request out would lead to another place. Browsers hide the target of
 * a redirect, so it proves nothing there.
 */
export const isRespelling = (call: Call, ending: AttemptEnd): boolean => {
  if (!elsewhere.includes(ending.facts.status ?? 0)) return false;
  const target = targetOf(call, ending);
  const own = new URL(call.url);
  if (target === undefined || spell(target) !== spell(own)) return false;
  const isUpgrade = own.protocol === "http:" && target.protocol === "https:";
  return isUpgrade || (target.origin === own.origin && target.pathname !== own.pathname);
};

/** Describes where a redirect leads, and what to do. */
export const describeRedirect = (call: Call, ending: AttemptEnd): string => {
  const notFollowed = ": redirects are not followed";
  const { pathname, origin } = new URL(call.url);
  const target = targetOf(call, ending);
  if (target === undefined && call.config.hasProxy) {
    return (
      `${notFollowed}. Does your server add slashes to paths, or lead to a page for signing in? ` +
      "Leave the proxy's paths out of that (Next.js: skipTrailingSlashRedirect)"
    );
  }
  if (target === undefined || !target.protocol.startsWith("http")) return notFollowed;
  if (target.origin !== origin) {
    return `${notFollowed}; it leads to ${oneLine(ending.redactLine(target.origin), 100)}: set baseUrl to that`;
  }
  if (!isRespelling(call, ending)) return notFollowed;
  const found = oneLine(ending.redactLine(target.pathname), 100);
  return (
    `${notFollowed}; your server wants the path ${found}, not ${oneLine(pathname, 100)}: ` +
    "leave the API's paths out of that rule (Next.js: skipTrailingSlashRedirect: true)"
  );
};
