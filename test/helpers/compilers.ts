import { resolve } from "node:path";
import { olderTypeScript } from "../../tools/runtimes.ts";

const besideLibrary = (library: string | undefined) => library && resolve(library, "../tsc.js");

/** The compiler of each TypeScript that users have; `undefined` where it is not installed. */
export const compilers = {
  "5.4": besideLibrary(olderTypeScript("typescript54")),
  "5.9": besideLibrary(olderTypeScript("typescript59")),
  "6.0": "node_modules/typescript/lib/tsc.js",
  "7.0": "node_modules/typescript7/bin/tsc",
} as const;
