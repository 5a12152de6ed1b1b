/** The package's entries: name under `dist` → source. CONTRIBUTING.md lists the other files that name them. */
export const entries = {
  index: "src/client/index.ts",
  submissions: "src/submissions/index.ts",
  "submissions/file": "src/submissions/file.ts",
  bullmq: "src/bullmq/index.ts",
  proxy: "src/proxy/index.ts",
  assumed: "src/assumed/index.ts",
  files: "src/files/index.ts",
  "mocks/index": "mocks/index.ts",
  "mocks/msw": "mocks/msw/index.ts",
  "mocks/node": "mocks/node/index.ts",
  "mocks/browser": "mocks/browser/index.ts",
  "mocks/server": "mocks/server/index.ts",
  "mocks/connect": "mocks/connect/index.ts",
} as const;

/** Files that take an entry's place under a condition of `exports`: name under `dist` → source. */
export const standIns = { "mocks/browser-in-node": "mocks/browser/in-node.ts" } as const;

/** The package's commands: name under `dist` → source. They are ES modules only. */
export const commands = {
  "submissions/cli": "src/submissions/cli.ts",
  "mocks/cli": "mocks/server/cli.ts",
} as const;

/** Specifier by which a consumer imports an entry: `mocks/index` → `adgen-sdk/mocks`. */
export const specifierOf = (entry: string): string => `adgen-sdk/${entry}`.replace(/\/index$/, "");

/** The folder of the declarations that `tools/build.ts` writes, one for each source file. */
export const declarationsFolder = ".tmp/declarations";

/** Packages that our files contain, and the files that contain them. */
export const bundledPackages = [
  { name: "ky", license: "license", where: "The client's files" },
  { name: "zod", license: "LICENSE", where: "The mock's files" },
  { name: "hono", license: "LICENSE", where: "mocks/server and mocks/cli" },
  {
    name: "@hono/node-server",
    license: "LICENSE",
    where: "mocks/server and mocks/cli",
  },
] as const;
