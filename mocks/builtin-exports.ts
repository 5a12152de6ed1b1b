/**
 * Brings `import { request } from "node:http"` up to date: MSW changes what the module holds, and
 * names that were imported before would go on reaching the network. Node only.
 */
export const syncBuiltinExports = (): void =>
  globalThis.process?.getBuiltinModule?.("node:module").syncBuiltinESMExports();
