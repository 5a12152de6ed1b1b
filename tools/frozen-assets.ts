import { pathToFileURL } from "node:url";
import type { Plugin } from "esbuild";

/**
 * Puts the files that the server answers into a bundle. A module that reads them is run once, when
 * the bundle is built; its exports, which are texts, take its place.
 */
export const frozenAssets = (): Plugin => ({
  name: "frozen-assets",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]server[\\/]page[\\/]assets\.ts$/ }, async ({ path }) => {
      const assets: Readonly<Record<string, unknown>> = await import(pathToFileURL(path).href);
      const constants = Object.entries(assets).map(
        ([name, text]) => `export const ${name} = ${JSON.stringify(text)};`,
      );
      return { contents: constants.join("\n") };
    });
  },
});
