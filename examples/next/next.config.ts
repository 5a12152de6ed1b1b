import type { NextConfig } from "next";

const config: NextConfig = {
  // With `trailingSlash: true`, Next redirects each call of the page before the route has run. Keep
  // it from that: the proxy takes paths with and without a slash at the end.
  // trailingSlash: true,
  // skipTrailingSlashRedirect: true,
};

export default config;
