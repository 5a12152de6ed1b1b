import { defineConfig, type Options } from "tsup";
import { entries } from "./tools/entries.ts";

const shared: Options = {
  entry: { ...entries },
  target: "es2022",
  platform: "neutral",
  external: ["ky", "zod", "msw"],
  dts: true,
  // dist is readable as it is; maps would carry the sources a second time.
  sourcemap: false,
  // Two configurations run at once: tools/build.ts empties dist before both.
  clean: false,
};

const esm: Options = { ...shared, name: "esm", format: "esm" };

/**
 * ky exists as ESM only, and left external it breaks at run time in CommonJS (esbuild's interop):
 * it is bundled here, and its licence is shipped by tools/build.ts. Without `splitting: false`
 * tsup would down-level through another compiler.
 */
const commonJs: Options = {
  ...shared,
  name: "cjs",
  format: "cjs",
  external: ["zod", "msw"],
  noExternal: ["ky"],
  splitting: false,
};

// `--no-dts` (npm run build:js) asks for a quick build to run, not one to publish: ESM is enough.
export default defineConfig(({ dts }) => (dts === false ? [esm] : [esm, commonJs]));
