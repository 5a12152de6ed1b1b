/**
 * Files that the page loads. From the sources they are read here; `tools/frozen-assets.ts` puts
 * their text into the package, so that nothing is looked up there.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const read = (path: string | URL): string => readFileSync(path, "utf8");

/** Style sheet. */
export const pageCss: string = read(new URL("page.css", import.meta.url));

/** Script of the page. */
export const liveJs: string = read(new URL("live.js", import.meta.url));

/** Library that changes the document into the one that the server has rendered. */
export const idiomorphJs: string = read(
  createRequire(import.meta.url).resolve("idiomorph/dist/idiomorph.min.js"),
);
