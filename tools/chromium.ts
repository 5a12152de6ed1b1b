import { existsSync } from "node:fs";

const candidates = [
  process.env["CHROMIUM_PATH"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The browser that runs the browser tests; `undefined` when this machine has none. */
export const chromiumPath: string | undefined = candidates.find(
  (path) => path !== undefined && existsSync(path),
);

export const chromiumMissing =
  "No Chromium for the browser tests: install it (apt-get install chromium) or set CHROMIUM_PATH.";

/** How it is started: without a sandbox, which containers have none of, and without calls of its own. */
export const chromiumLaunch = {
  ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
};
