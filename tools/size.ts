/**
 * `npm run size`: what the package adds to a browser app, against its limits. With `-- --write` it
 * writes the limits into the documents that name them.
 */
import { readFileSync, writeFileSync } from "node:fs";
import {
  describeSizes,
  isWithinLimits,
  measureBundles,
  sizeFigures,
  writeFigures,
} from "./bundle-size.ts";

const sizes = await measureBundles(process.cwd(), process.cwd());
console.log(describeSizes(sizes));
process.exitCode = isWithinLimits(sizes) ? 0 : 1;

if (process.argv.includes("--write")) {
  for (const path of new Set(sizeFigures.map((figure) => figure.path))) {
    writeFileSync(path, writeFigures(path, readFileSync(path, "utf8")));
  }
}
