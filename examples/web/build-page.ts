import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { msw } from "msw/vite";
import { build, type UserConfig } from "vite";

/** Options of {@link buildPage}. */
export interface PageOptions {
  /** Folder to write the page into. */
  readonly folder: string;
  /** Everything runs in the page: mock, proxy and app. */
  readonly inPage: boolean;
  /** Ways to find packages. The tests of this repository take the library's sources. */
  readonly resolve?: UserConfig["resolve"] | undefined;
}

/** Builds the page with Vite. */
export const buildPage = async ({ folder, inPage, resolve = {} }: PageOptions): Promise<void> => {
  await build({
    root: fileURLToPath(new URL("page", import.meta.url)),
    configFile: false,
    logLevel: "warn",
    // The app reads the mode, so that the mock is in no other bundle.
    mode: inPage ? "in-page" : "production",
    plugins: [react(), ...(inPage ? [msw({ mode: "worker-only" })] : [])],
    resolve,
    build: { outDir: folder, emptyOutDir: true, chunkSizeWarningLimit: 2_000 },
  });
};
