import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** What a browser app may pay for "create client, submit, pollJob": minified and gzipped. */
export const maxBundleBytes = 18 * 1024;

/** Bundles a first use of the package, as installed below `folder`, like a browser app would. */
export const measureBundle = async (folder: string): Promise<number> => {
  const { outputFiles } = await build({
    stdin: {
      contents:
        'import { createClient, pollJob } from "adgen-sdk"; console.log(createClient, pollJob);',
      resolveDir: folder,
    },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
    logLevel: "error",
    // The package as it is published: not the sources that tsconfig.json's `paths` lead to.
    tsconfigRaw: {},
  });
  const [bundle] = outputFiles;
  if (bundle === undefined) throw new Error("esbuild wrote no bundle");
  return gzipSync(bundle.contents, { level: 9 }).byteLength;
};

export const describeSize = (bytes: number): string =>
  `createClient + pollJob: ${bytes} bytes minified and gzipped, ${maxBundleBytes} allowed`;
