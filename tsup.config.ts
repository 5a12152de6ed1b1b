import { defineConfig, type Options } from "tsup";
import { commands, entries } from "./tools/entries.ts";

/** The HTTP server that the mock's own server is made of: our users shall not have to install it. */
const bundled = ["hono", "@hono/node-server"];

const shared: Options = {
  entry: { ...entries },
  target: "es2022",
  platform: "neutral",
  // "adgen-sdk": an entry that needs the client takes the one that its user has.
  external: ["adgen-sdk", "ky", "zod", "msw", /^node:/],
  noExternal: bundled,
  dts: true,
  // Deno and workers know Node's modules by their full names only.
  removeNodeProtocol: false,
  // dist is readable as it is; maps would carry the sources a second time.
  sourcemap: false,
  // Two configurations run at once: tools/build.ts empties dist before both.
  clean: false,
};

const esm: Options = {
  ...shared,
  name: "esm",
  format: "esm",
  entry: { ...entries, ...commands },
};

/**
 * ky exists as ESM only, and left external it breaks at run time in CommonJS (esbuild's interop):
 * it is bundled here, and its licence is shipped by tools/build.ts. Without `splitting: false`
 * tsup would down-level through another compiler.
 */
const commonJs: Options = {
  ...shared,
  name: "cjs",
  format: "cjs",
  external: ["adgen-sdk", "zod", "msw", /^node:/],
  noExternal: ["ky", ...bundled],
  splitting: false,
};

// `--no-dts` (npm run build:js) asks for a quick build to run, not one to publish: ESM is enough.
export default defineConfig(({ dts }) => (dts === false ? [esm] : [esm, commonJs]));
