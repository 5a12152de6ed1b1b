import { readFileSync } from "node:fs";

/**
 * Files that the page loads. From the sources they are read here; `tools/frozen-assets.ts` puts
 * their text into the package, so that nothing is looked up there.
 */

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

/** Style sheet. */
export const pageCss: string = read("page.css");

/** Script of the page. */
export const liveJs: string = read("live.js");
