/** Returns whether a host is this machine. In a URL, an IPv6 address has brackets. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
