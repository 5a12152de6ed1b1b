/** `npm run size`: what the package adds to a browser app, against its limits. */
import { describeSizes, isWithinLimits, measureBundles } from "./bundle-size.ts";

const sizes = await measureBundles(process.cwd(), process.cwd());
console.log(describeSizes(sizes));
process.exitCode = isWithinLimits(sizes) ? 0 : 1;
