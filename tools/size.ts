/** `npm run size`: the bundle's size against its limit. */
import { describeSize, maxBundleBytes, measureBundle } from "./bundle-size.ts";

const bytes = await measureBundle(process.cwd());
console.log(describeSize(bytes));
process.exitCode = bytes <= maxBundleBytes ? 0 : 1;
