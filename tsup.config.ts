import { readFileSync } from "node:fs";
import { defineConfig, type Options } from "tsup";
import { commands, declarationsFolder, entries, standIns } from "./tools/entries.ts";
import { frozenAssets, lateKy } from "./tools/esbuild-plugins.ts";

// What is imported and not named in `external` goes into our files: ky and the used parts of zod,
// and for the mock's server hono. Our users install none of them; tools/build.ts ships the licences.
const { version } = JSON.parse(readFileSync("package.json", "utf8"));

const shared: Options = {
  entry: { ...entries },
  target: "es2022",
  platform: "neutral",
  // The version goes into headers and help without a file: Deno would ask for the right to read it.
  define: { packageVersion: JSON.stringify(version) },
  // "adgen-sdk": an entry that needs the client takes the one that its user has.
  external: ["adgen-sdk", "bullmq", "msw", /^node:/],
  dts: false,
  // Deno and workers know Node's modules by their full names only.
  removeNodeProtocol: false,
  // dist is readable as it is; maps would carry the sources a second time.
  sourcemap: false,
  // The configurations run at once: tools/build.ts empties dist before them.
  clean: false,
};

/** Returns the entries and commands below a folder. */
const below = (folder: "src/" | "mocks/"): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...entries, ...commands }).filter(([, source]) => source.startsWith(folder)),
  );

/**
 * The client and the entries beside it share their chunks, so that each error class and the memory of
 * waits are there once. The mock shares none with them: its zod would be loaded with the
 * client.
 */
const client: Options = {
  ...shared,
  name: "client",
  format: "esm",
  entry: below("src/"),
  esbuildPlugins: [lateKy()],
};

const mock: Options = {
  ...shared,
  name: "mock",
  format: "esm",
  entry: { ...below("mocks/"), ...standIns },
  esbuildPlugins: [frozenAssets()],
};

const declarationOf = (source: string): string =>
  `${declarationsFolder}/${source.replace(/\.ts$/, ".d.ts")}`;

/** Types for both module systems: rollup bundles the declarations that `tools/build.ts` has written. */
const declarations: Options = {
  ...shared,
  name: "declarations",
  format: ["esm", "cjs"],
  dts: {
    only: true,
    entry: Object.fromEntries(
      Object.entries(entries).map(([name, source]) => [name, declarationOf(source)]),
    ),
  },
};

// `--no-dts` (tools/build.ts --js-only) asks for a quick build to run, not one to publish: ESM is enough.
export default defineConfig(({ dts }) =>
  dts === false ? [client, mock] : [client, mock, declarations],
);
