import { readFileSync } from "node:fs";

/**
 * Files that the page loads. The sources read them from disk. For the package, `tools/frozen-assets.ts`
 * inlines their text.
 */

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

/** Style sheet. */
export const pageCss: string = read("page.css");

/** Script of the page. */
export const liveJs: string = read("live.js");
