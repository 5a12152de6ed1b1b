import { gzipSync } from "node:zlib";
import { type BuildOptions, build } from "esbuild";

/** Most bytes of `createClient` and `pollJob` in a browser app, minified and gzipped. */
export const maxBundleBytes = 28_000;
/** Most bytes with `require`: bundlers keep the unused parts of a CommonJS file. */
export const maxRequiredBytes = 34_600;
/** Most bytes of our own code in the imported bundle; the rest of it is ky. */
export const maxOwnBytes = 19_150;

/** Most bytes of `connectMock` in a browser app or a test, by import. */
export const maxConnectBytes = 700;

/** Most bytes of the ready schemas, by import. */
export const maxAssumedBytes = 900;

/** Most bytes of the proxy beside the client and its submissions, by import. */
export const maxProxyBytes = 12_500;

const use = "createClient, pollJob";

const imported = (names: string, from: string): string =>
  `import { ${names} } from ${JSON.stringify(from)}; console.log(${names});`;
const required = (names: string, from: string): string =>
  `const { ${names} } = require(${JSON.stringify(from)}); console.log(${names});`;

/** Bundles a script as a browser app is bundled, and gives its size. */
const measure = async (
  contents: string,
  resolveDir: string,
  options: BuildOptions = {},
): Promise<number> => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    write: false,
    logLevel: "error",
    // Ignore the `paths` of tsconfig.json, which lead to the sources instead of the package.
    tsconfigRaw: {},
    ...options,
  });
  const [bundle] = outputFiles ?? [];
  if (bundle === undefined) throw new Error("esbuild wrote no bundle");
  return gzipSync(bundle.contents, { level: 9 }).byteLength;
};

/** Sizes of a first use of the package, in bytes. `own` and `ky` make up `imported`. */
export interface BundleSizes {
  readonly imported: number;
  readonly required: number;
  readonly own: number;
  readonly ky: number;
  /** Size of an app that recognises our errors, and makes no client. */
  readonly errorsOnly: number;
  /** Size of a test that steers a mock server. */
  readonly connect: number;
  /** Size of the ready schemas alone. */
  readonly assumed: number;
  /** Size of the proxy, without the client and the submissions, which it imports by their names. */
  readonly proxy: number;
}

/** Measures the package as installed below `folder`, and its parts from the sources in `root`. */
export const measureBundles = async (folder: string, root: string): Promise<BundleSizes> => {
  const fromSource = imported(use, "./src/client/index.ts");
  const whole = await measure(imported(use, "adgen-sdk"), folder);
  // Nothing in `dist` separates ky from our code, so its size is the difference of two bundles.
  const own = await measure(fromSource, root, { external: ["ky"] });
  return {
    imported: whole,
    required: await measure(required(use, "adgen-sdk"), folder),
    own,
    ky: whole - own,
    errorsOnly: await measure(imported("isAdGenError, ApiError", "adgen-sdk"), folder),
    connect: await measure(imported("connectMock", "adgen-sdk/mocks/connect"), folder),
    assumed: await measure(imported("assumedSchemas", "adgen-sdk/assumed"), folder),
    proxy: await measure(imported("createProxy", "./src/proxy/index.ts"), root, {
      external: ["adgen-sdk"],
    }),
  };
};

export const describeSizes = ({
  imported,
  required,
  own,
  ky,
  errorsOnly,
  connect,
  assumed,
  proxy,
}: BundleSizes): string =>
  [
    "Minified and gzipped, in bytes:",
    `  createClient and pollJob, imported  ${imported} (limit ${maxBundleBytes})`,
    `    our own code                      ${own} (limit ${maxOwnBytes})`,
    `    what ky adds                      ${ky}`,
    `  the same, by require                ${required} (limit ${maxRequiredBytes})`,
    `  errors alone                        ${errorsOnly}`,
    `  connectMock                         ${connect} (limit ${maxConnectBytes})`,
    `  assumedSchemas                      ${assumed} (limit ${maxAssumedBytes})`,
    `  createProxy, without the client     ${proxy} (limit ${maxProxyBytes})`,
  ].join("\n");

export const isWithinLimits = ({
  imported,
  required,
  own,
  connect,
  assumed,
  proxy,
}: BundleSizes): boolean =>
  imported <= maxBundleBytes &&
  required <= maxRequiredBytes &&
  own <= maxOwnBytes &&
  connect <= maxConnectBytes &&
  assumed <= maxAssumedBytes &&
  proxy <= maxProxyBytes;

interface Figure {
  readonly path: string;
  /** Matches the figure. Its groups hold the text before the figure and the text after it. */
  readonly place: RegExp;
  readonly bytes: number;
}

export const sizeFigures: readonly Figure[] = [
  { path: "README.md", place: /(at most )[\d.]+( kB gzipped)/, bytes: maxBundleBytes },
  {
    path: "docs/guides/runtimes.md",
    place: /(The limit is )[\d.]+( kB)/,
    bytes: maxBundleBytes,
  },
  {
    path: "CONTRIBUTING.md",
    place: /("Create a client, submit, poll" has )[\d.]+( kB with everything inside)/,
    bytes: maxBundleBytes,
  },
  {
    path: "CONTRIBUTING.md",
    place: /(By `require` it has )[\d.]+( kB)/,
    bytes: maxRequiredBytes,
  },
  {
    path: "CONTRIBUTING.md",
    place: /(Our own code has )[\d.]+( kB of it)/,
    bytes: maxOwnBytes,
  },
];

/** Writes the current limits into a document's text. @throws Error if the text lacks a figure */
export const writeFigures = (
  path: string,
  text: string,
  figures: readonly Figure[] = sizeFigures,
): string => {
  let written = text;
  for (const { place, bytes } of figures.filter((figure) => figure.path === path)) {
    if (!place.test(written)) throw new Error(`${path} says nothing like ${place.source}`);
    written = written.replace(place, (_, before, behind) => `${before}${bytes / 1000}${behind}`);
  }
  return written;
};
