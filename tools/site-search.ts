/** A part of `npm run docs:check`: the search of the rendered site reads the guides. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";

/** Searches that each have to find a guide. */
const searches = ["402", "idempotency", "fake timers"];

/** The parts of the site's index that the check reads. */
interface SearchData {
  readonly index: {
    /** Words, and where they stand: `document` is the text of the guides. */
    readonly invertedIndex: readonly [string, { readonly document?: Record<string, unknown> }][];
  };
}

const [site = "site"] = process.argv.slice(2);
const script = readFileSync(join(site, "assets/search.js"), "utf8");
const [, packed = ""] = /"([^"]+)"/.exec(script) ?? [];
const { index }: SearchData = JSON.parse(inflateSync(Buffer.from(packed, "base64")).toString());

/** Lists the numbers of the guides that hold a word; the site finds parts of words, too. */
const guidesWith = (word: string): string[] =>
  index.invertedIndex
    .filter(([term]) => term.includes(word))
    .flatMap(([, { document }]) => Object.keys(document ?? {}));

for (const search of searches) {
  const [first = [], ...others] = search.split(" ").map(guidesWith);
  if (first.some((guide) => others.every((guides) => guides.includes(guide)))) continue;
  console.error(`The site's search for "${search}" finds no guide.`);
  process.exitCode = 1;
}
