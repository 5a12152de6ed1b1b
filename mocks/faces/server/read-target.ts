import type { IncomingMessage } from "node:http";

const hostPattern = /^([\w.-]+|\[[\da-f:.]+\])(?::\d*)?$/i;

/** Tells whether a path may be read as another one: URL parsers take a backslash for a slash. */
const hasBackslash = (target: string): boolean => /^[^?]*\\/.test(target);

/** Reads a target such as "/v1/jobs" with the `Host` header; no part of one may become the other. */
const readPath = (target: string, host: string): URL | null => {
  const [, name] = hostPattern.exec(host) ?? [];
  if (name === undefined || !target.startsWith("/")) return null;
  const url = URL.parse(`http://${host}${target}`);
  // Other spellings of an address, such as 0x7f.1, are refused.
  return url?.hostname === name.toLowerCase() ? url : null;
};

/**
 * Reads the URL that a request asks for.
 *
 * @param ownHost - Host of a request without a `Host` header, which HTTP/1.0 allows
 * @returns `undefined` for a target or a host that makes no URL, or that two parsers read
 * differently
 */
export const readTarget = (
  { url: target = "", headers }: Pick<IncomingMessage, "url" | "headers">,
  ownHost: string,
): URL | undefined => {
  if (hasBackslash(target)) return undefined;
  const isAbsolute = /^https?:\/\//.test(target);
  const url = isAbsolute ? URL.parse(target) : readPath(target, headers.host || ownHost);
  return url === null || url.username !== "" || url.password !== "" ? undefined : url;
};
