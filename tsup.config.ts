import { readFileSync } from "node:fs";
import { defineConfig, type Options } from "tsup";
import { commands, entries, ownFiles, standIns } from "./tools/entries.ts";
import { frozenAssets } from "./tools/frozen-assets.ts";
import { lateKy } from "./tools/late-ky.ts";

// What is imported and not named in `external` goes into our files: the used parts of ky and zod,
// and for the mock's server hono. Our users install none of them; tools/build.ts ships the licences.
const shared: Options = {
  entry: { ...entries },
  target: "es2022",
  platform: "neutral",
  // "adgen-sdk": an entry that needs the client takes the one that its user has.
  external: ["adgen-sdk", "bullmq", "msw", /^node:/],
  dts: { entry: { ...entries } },
  // Deno and workers know Node's modules by their full names only.
  removeNodeProtocol: false,
  // dist is readable as it is; maps would carry the sources a second time.
  sourcemap: false,
  // The configurations run at once: tools/build.ts empties dist before them.
  clean: false,
};

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

const { index, "journal/file": journalFile, bullmq, proxy, assumed, ...mocks } = entries;

const mock: Options = {
  ...shared,
  // The command tells its version without a file: Deno would ask for the right to read it.
  define: { packageVersion: JSON.stringify(version) },
  name: "mock",
  format: "esm",
  entry: { ...mocks, ...standIns, ...commands },
  esbuildPlugins: [frozenAssets()],
};

/**
 * The client shares no chunk with the mock. A chunk holds all that either uses: much more of zod
 * would be loaded with the client, and a bundler keeps zod's registry of schemas.
 */
const client: Options = {
  ...shared,
  name: "client",
  format: "esm",
  entry: { index, "journal/file": journalFile, ...ownFiles },
  dts: false,
};

/**
 * The fleet has its own copy of the few parts of the client that it uses. With shared chunks for it
 * and the proxy, the client is ten files to load instead of four; all saves 58 of 1,074 kB.
 */
const fleet: Options = {
  ...shared,
  name: "fleet",
  format: "esm",
  entry: { bullmq },
  splitting: false,
  dts: false,
};

/**
 * The proxy has a copy of the tables that it reads, and takes the client that its user has. Parts
 * that it or the ready schemas shared with the client would be more files for everybody to load.
 */
const besideTheClient: Options = {
  ...shared,
  name: "proxy and assumed",
  format: "esm",
  entry: { proxy, assumed },
  splitting: false,
  dts: false,
};

/**
 * The client. tools/build.ts turns the mock's ES modules into CommonJS, and all declarations.
 * Without `splitting: false` tsup would down-level through another compiler.
 */
const commonJs: Options = {
  ...shared,
  name: "cjs",
  format: "cjs",
  entry: { index },
  esbuildPlugins: [lateKy()],
  splitting: false,
  dts: false,
};

// `--no-dts` (npm run build:js) asks for a quick build to run, not one to publish: ESM is enough.
export default defineConfig(({ dts }) => {
  const modules = [client, mock, fleet, besideTheClient];
  return dts === false ? modules : [...modules, commonJs];
});
