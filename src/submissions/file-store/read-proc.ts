import { readFileSync } from "node:fs";

interface MaybeDeno {
  readonly Deno?: {
    readonly permissions: {
      querySync(of: { name: "read"; path: string }): { readonly state: string };
    };
  };
}

/**
 * Reads a file below `/proc`. It throws on systems other than Linux. It also throws where Deno would ask
 * its user for a permission, because the store works without it.
 */
export const readProc = (path: string): string => {
  const { Deno } = globalThis as MaybeDeno;
  const state = Deno?.permissions.querySync({ name: "read", path }).state;
  if (state !== undefined && state !== "granted") throw new Error(`Deno may not read ${path}`);
  return readFileSync(path, "utf8");
};
