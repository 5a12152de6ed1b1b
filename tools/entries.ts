/** The package's entries: name under `dist` → source. `exports` and `paths` say the same. */
export const entries = {
  index: "src/index.ts",
  "mocks/index": "mocks/index.ts",
  "mocks/msw": "mocks/msw.ts",
  "mocks/node": "mocks/node.ts",
  "mocks/browser": "mocks/browser.ts",
  "mocks/server": "mocks/server.ts",
} as const;

/** The package's commands: name under `dist` → source. ES modules only. */
export const commands = { "mocks/cli": "mocks/cli.ts" } as const;

/** What a consumer writes to import an entry: `mocks/index` → `adgen-sdk/mocks`. */
export const specifierOf = (entry: string): string => `adgen-sdk/${entry}`.replace(/\/index$/, "");
