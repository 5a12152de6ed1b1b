import { pathToFileURL } from "node:url";
import { type Loader, type Plugin, transform } from "esbuild";

/**
 * Puts the files that the server answers into a bundle. A module that reads them is run once, when
 * the bundle is built; its exports, which are texts, take its place, minified. The name of each ends
 * with its language, as in `pageCss`.
 */
export const frozenAssets = (): Plugin => ({
  name: "frozen-assets",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]server[\\/]page[\\/]assets\.ts$/ }, async ({ path }) => {
      const assets: Readonly<Record<string, string>> = await import(pathToFileURL(path).href);
      const constants = Object.entries(assets).map(async ([name, text]) => {
        const loader = /[A-Z][a-z]+$/.exec(name)?.[0].toLowerCase() as Loader;
        const { code } = await transform(text, { loader, minify: true });
        return `export const ${name} = ${JSON.stringify(code)};`;
      });
      return { contents: (await Promise.all(constants)).join("\n") };
    });
  },
});
