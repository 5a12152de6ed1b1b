import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";

/** Makes a file load the CommonJS twins of its neighbours, and notes which files those are. */
const loadTwins = (neighbours: Set<string>): Plugin => ({
  name: "load-twins",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, kind, resolveDir }) => {
      if (kind === "entry-point") return undefined;
      neighbours.add(join(resolveDir, path));
      return { path: path.replace(/\.js$/, ".cjs"), external: true };
    });
  },
});

/**
 * Writes a CommonJS twin beside each of these ES modules, and beside all that they load. Twins
 * share their parts as the ES modules do; esbuild itself splits no CommonJS.
 */
export const writeCommonJs = async (
  files: readonly string[],
  external: readonly string[],
): Promise<void> => {
  const folder = join(process.cwd(), "dist");
  const written = new Set<string>();
  let waiting = files.map((file) => join(folder, file));
  while (waiting.length > 0) {
    const neighbours = new Set<string>();
    await build({
      entryPoints: waiting,
      outdir: folder,
      outbase: folder,
      outExtension: { ".js": ".cjs" },
      bundle: true,
      format: "cjs",
      target: "es2022",
      platform: "neutral",
      external: [...external],
      define: { "import.meta.url": "__filename" },
      logLevel: "warning",
      plugins: [loadTwins(neighbours)],
    });
    for (const path of waiting) written.add(path);
    waiting = [...neighbours].filter((path) => !written.has(path));
  }
};

/**
 * This entry needs a package that its user installs. Without it, Node's own error names a chunk of
 * `dist` and no remedy. An ES module could say what to install only by a top-level await, which
 * neither CommonJS bundles nor `require` of an ES module accept.
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
