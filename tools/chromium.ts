import { existsSync } from "node:fs";
import { findPackedChromium } from "./packed-chromium.ts";

/** Paths at which systems install Chromium or Chrome. */
const systemPaths = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:/Program Files/Google/Chrome/Application/chrome.exe",
];

const chosenPath = process.env["CHROMIUM_PATH"];
const packed = chosenPath ? undefined : findPackedChromium();
const paths = chosenPath ? [chosenPath] : [packed?.executablePath, ...systemPaths];

/**
 * Path of the browser that runs the browser tests. CHROMIUM_PATH goes first, then the Chromium from
 * npm, because all machines then have the same browser, then the system's. The path is `undefined`
 * on a machine without a browser.
 */
export const chromiumPath: string | undefined = paths.find(
  (path) => path !== undefined && existsSync(path),
);

/** Reason why browser tests cannot run, and the way to run them. */
export const chromiumMissing = chosenPath
  ? `CHROMIUM_PATH names no file: ${chosenPath}. Correct it or unset it for the browser tests.`
  : "There is no Chromium: install Chromium or Chrome, or set CHROMIUM_PATH, for the browser tests.";

/** Options of the launch: no sandbox, which containers lack, and no requests by the browser. */
export const chromiumLaunch = {
  ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
  ...(packed && { env: packed.env }),
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
