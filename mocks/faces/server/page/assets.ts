/**
 * Files that the page loads. From the sources they are read here; `tools/frozen-assets.ts` puts
 * their text into the package, so that nothing is looked up there.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const read = (path: string | URL): string => readFileSync(path, "utf8");

/** Parts of the style sheet, each of one subject. A later part wins over an earlier one. */
const styles = [
  ...["base", "controls", "parts", "frame"],
  ...["jobs", "job", "made", "accounts", "things", "journal"],
];

/** Style sheet. */
export const pageCss: string = styles
  .map((name) => read(new URL(`css/${name}.css`, import.meta.url)))
  .join("\n");

/** Script of the page. */
export const liveJs: string = read(new URL("script/live.js", import.meta.url));

/** Module of the script that keeps what the user has chosen to see. */
export const choicesJs: string = read(new URL("script/choices.js", import.meta.url));

/** Module of the script that asks before something is thrown away. */
export const questionsJs: string = read(new URL("script/questions.js", import.meta.url));

/** Module of the script that tells how far the clock is from real time. */
export const offsetJs: string = read(new URL("script/offset.js", import.meta.url));

/** Module of the script that moves pictures while the user looks at them. */
export const motionJs: string = read(new URL("script/motion.js", import.meta.url));

/** Module of the script that makes requests from forms. */
export const ordersJs: string = read(new URL("script/orders.js", import.meta.url));

/** Module of the script that changes the document. */
export const showJs: string = read(new URL("script/show.js", import.meta.url));

/** Library that changes the document into the one that the server has rendered. */
export const idiomorphJs: string = read(
  createRequire(import.meta.url).resolve("idiomorph/dist/idiomorph.min.js"),
);
