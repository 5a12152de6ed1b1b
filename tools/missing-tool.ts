import { renameSync, writeFileSync } from "node:fs";

/**
 * An entry that cannot be loaded without a package of its user's. Node's own error would name a chunk
 * of `dist`, and no remedy. An ES module could say so by a top-level await only, which neither
 * CommonJS bundles nor `require` of an ES module take.
 */
const path = "dist/mocks/node";

/** Puts a file before the CommonJS entry that says what to install. */
export const sayWhatToInstall = (): void => {
  renameSync(`${path}.cjs`, `${path}-with-msw.cjs`);
  writeFileSync(
    `${path}.cjs`,
    `"use strict";
try {
  module.exports = require("./node-with-msw.cjs");
} catch (error) {
  if (error?.code !== "MODULE_NOT_FOUND" || !/'msw['/]/.test(error.message)) throw error;
  const words = "adgen-sdk/mocks/node needs msw, which is not installed: npm install --save-dev msw";
  throw new Error(words, { cause: error });
}
`,
  );
};
