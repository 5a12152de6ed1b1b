/**
 * Parses a URL; returns `undefined` if it isn't valid. Older browsers, and the `URL` that older versions of
 * jsdom put in place of Node's, lack `URL.parse` and `URL.canParse`.
 */
export const readUrl = (text: string | URL, base?: string): URL | undefined => {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
};

/** Returns whether a host is this machine. In a URL, an IPv6 address has brackets. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
