import { pathToFileURL } from "node:url";
import { build, type Loader, type Plugin, transform } from "esbuild";

/** ky's modules as one text, which ends with `give(ky)`. */
const bundleKy = async (): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: 'import ky from "ky"; give(ky);', resolveDir: process.cwd() },
    bundle: true,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
};

/**
 * Runs ky's modules at the first request, and not when the client is loaded: they touch `Request`
 * and `FormData`, which takes Node 40 ms, and make a `TextEncoder`, which Jest's jsdom lacks. ky
 * stays in the client's file, as the body of a function. `import()` would fail in service workers,
 * offline, and in a page that is open while its chunks are replaced.
 */
export const lateKy = (): Plugin => ({
  name: "late-ky",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^ky$/ }, () => ({ path: "ky", namespace: "late" }));
    onLoad({ filter: /^ky$/, namespace: "late" }, async () => ({
      contents: `
        const load = () => {
          let given;
          const give = (ky) => { given = ky; };
          ${await bundleKy()}
          return given;
        };
        let ky;
        export default (...input) => (ky ??= load())(...input);`,
    }));
  },
});

/**
 * Puts the files that the server answers into a bundle. A module that reads them is run once, when
 * the bundle is built; its exports, which are texts, take its place, minified. The name of each
 * ends with its language, as in `pageCss`.
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
