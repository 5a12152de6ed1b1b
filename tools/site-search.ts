/** A part of `npm run docs:check`: the search of the rendered site finds guides first. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { inflateSync } from "node:zlib";

/** Usual searches, and the guides of which one has to come first. */
const searches: Readonly<Record<string, readonly string[]>> = {
  "out of credits": ["Errors", "Accounts and credits"],
  credits: ["Accounts and credits", "The client", "Errors"],
  retry: ["Money and retries"],
  timeout: ["Waiting for jobs", "The client", "Cancelling"],
  poll: ["Waiting for jobs"],
  proxy: ["Browsers and proxies"],
  once: ["Crashes and lost answers"],
  "rate limit": ["Limits and owners", "Errors", "Money and retries"],
  "lost answer": ["Crashes and lost answers"],
  "browser key": ["Browsers and proxies"],
  "save picture": ["Saving results"],
  "upload image": ["The client"],
  "402": ["Errors"],
  idempotency: ["Duplicate requests and idempotency keys"],
  "fake timers": ["Time"],
  abort: ["Cancelling"],
  brand: ["The client"],
  "mock server": ["As a server"],
  bullmq: ["A fleet of workers"],
  playwright: ["Playwright"],
};

interface Row {
  readonly name: string;
  readonly url: string;
}

interface Found {
  readonly ref: string;
  readonly score: number;
}

/** The index that TypeDoc writes, and the part of lunr that the site's script calls. */
interface SearchData {
  readonly rows: readonly Row[];
  readonly index: object;
}
interface Lunr {
  readonly Index: { load(index: object): { search(query: string): Found[] } };
}

const lunr: Lunr = createRequire(import.meta.resolve("typedoc"))("lunr");
const [site = "site"] = process.argv.slice(2);
const script = readFileSync(join(site, "assets/search.js"), "utf8");
const [, packed = ""] = /"([^"]+)"/.exec(script) ?? [];
const data: SearchData = JSON.parse(inflateSync(Buffer.from(packed, "base64")).toString());
const index = lunr.Index.load(data.index);

/** Ranks as the site's script does: by parts of words, and names that begin with the text first. */
const rank = (text: string): Row[] => {
  const scores = new Map<Row, number>();
  const words = text.split(" ").map((word) => `*${word}*`);
  for (const { ref, score } of index.search(words.join(" "))) {
    const row = data.rows[Number(ref)];
    if (row === undefined) continue;
    const begins = row.name.toLowerCase().startsWith(text.toLowerCase());
    const factor = begins ? 10 / (1 + Math.abs(row.name.length - text.length)) : 1;
    scores.set(row, score * factor);
  }
  const sorted = [...scores].sort(([, one], [, other]) => other - one);
  return sorted.map(([row]) => row);
};

for (const [text, guides] of Object.entries(searches)) {
  const [first] = rank(text);
  if (first?.url.startsWith("documents/") && guides.includes(first.name)) continue;
  const found = first === undefined ? "nothing" : `${first.name} (${first.url})`;
  console.error(
    `The site's search for "${text}" finds ${found} first, not ${guides.join(" or ")}.`,
  );
  process.exitCode = 1;
}
