import type { NextConfig } from "next";

const config: NextConfig = {
  // Browsers that come by this address in development get hot reloads, too.
  allowedDevOrigins: ["127.0.0.1"],
};

export default config;
