/** Tells whether a host is this machine itself. In a URL an IPv6 address stands in brackets. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
