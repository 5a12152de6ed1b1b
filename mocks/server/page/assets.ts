import { readFileSync } from "node:fs";

/**
 * The files that the page loads. They are read from disk if the mock runs from its source. In the package,
 * `tools/esbuild-plugins.ts` has inlined them.
 */

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

/** Style sheet. */
export const pageCss: string = read("page.css");

/** Script of the page. */
export const liveJs: string = read("live.js");
