import { cutText } from "./cut-text.ts";
import { hash } from "./ids.ts";

/** Text of one ad. @assumed A9 */
export interface AdCopy {
  readonly headline: string;
  readonly primary_text: string;
  readonly description: string;
  readonly call_to_action: string;
}

/** Sentences of an ad. `{it}` quotes the prompt, so that a test finds its own words, `{by}` the brand. */
const sentences: { readonly [Part in keyof AdCopy]: readonly string[] } = {
  headline: ["Meet {it}{by}", "Made simple: {it}{by}", "Say hello to {it}{by}", "New: {it}{by}"],
  primary_text: [
    "{it}{by}: everything you like about it, and nothing to worry about.",
    "Good things take time. Finding {it}{by} takes a minute.",
    "{it}{by}. Picked with care, ready when you are.",
    "For mornings, for evenings, for no reason at all: {it}{by}.",
  ],
  description: [
    "Free delivery and 30 days to change your mind.",
    "Only while stocks last.",
    "Order today, smile tomorrow.",
    "Made to last{by}.",
  ],
  call_to_action: ["Shop now", "Learn more", "Get offer", "Sign up"],
};

const longestQuote = 60;

const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\s]+/gu, " ").trim();

/** Writes an ad: the same for the same job and variation, another for each variation. */
export const writeCopy = (
  prompt: string,
  brandName: string | undefined,
  jobId: string,
  variation: number,
): AdCopy => {
  const asked = cutText(oneLine(prompt), longestQuote, 4 * longestQuote);
  const brand = oneLine(brandName ?? "");
  const words: Readonly<Record<string, string>> = {
    it: asked === "" ? "something new" : `“${asked}”`,
    by: brand && ` by ${brand}`,
  };
  const turn = hash(jobId);
  const write = (part: keyof AdCopy, count: number): string =>
    (sentences[part][count % 4] ?? "").replace(/\{(\w+)\}/g, (_, name) => words[name] ?? "");
  // The other parts move on where the headlines begin again: no two of 16 ads are alike.
  const round = variation + Math.floor(variation / 4);
  return {
    headline: write("headline", turn + variation),
    primary_text: write("primary_text", (turn >>> 4) + round),
    description: write("description", (turn >>> 8) + round),
    call_to_action: write("call_to_action", (turn >>> 12) + round),
  };
};
