import { readFileSync } from "node:fs";
import { defineConfig, type Options } from "tsup";
import { besideIt } from "./tools/beside-it.ts";
import { commands, entries, ownFiles, standIns, swapped } from "./tools/entries.ts";
import { frozenAssets } from "./tools/frozen-assets.ts";
import { lateKy } from "./tools/late-ky.ts";

// What is imported and not named in `external` goes into our files: ky and the used parts of zod,
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

const {
  index,
  submissions,
  "submissions/file": fileStore,
  bullmq,
  proxy,
  assumed,
  ...mocks
} = entries;
const beside = { submissions, "submissions/file": fileStore, bullmq, proxy, assumed };

/**
 * The client shares no chunk with the mock. A chunk holds all that either uses: much more of zod
 * would be loaded with the client, and a bundler keeps zod's registry of schemas.
 */
const client: Options = {
  ...shared,
  name: "client",
  format: "esm",
  entry: { index, ...ownFiles },
  esbuildPlugins: [besideIt("diagnostics", "js")],
  dts: false,
};

/**
 * Entries that take the client which their user has, with copies of the few parts of it that they
 * use themselves. Parts that they shared with it would be more files for everybody to load.
 */
const besideTheClient: Options = {
  ...shared,
  name: "beside the client",
  format: "esm",
  entry: { ...beside, ...swapped },
  esbuildPlugins: [besideIt("diagnostics", "js")],
  splitting: false,
  dts: false,
};

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
 * The client as CommonJS. tools/build.ts makes the other CommonJS files of ES modules, and all
 * declarations. Without `splitting: false` tsup would down-level through another compiler.
 */
const commonJs: Options = {
  ...shared,
  name: "cjs",
  format: "cjs",
  entry: { index, ...swapped },
  esbuildPlugins: [lateKy(), besideIt("diagnostics", "cjs")],
  splitting: false,
  dts: false,
};

// `--no-dts` (npm run build:js) asks for a quick build to run, not one to publish: ESM is enough.
export default defineConfig(({ dts }) => {
  const modules = [client, besideTheClient, mock];
  return dts === false ? modules : [...modules, commonJs];
});
