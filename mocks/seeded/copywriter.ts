import { templates } from "./copy-templates.ts";
import { cutText } from "./cut-text.ts";
import { hash } from "./ids.ts";

/** Text of one ad. @assumed A9 */
export interface AdCopy {
  readonly headline: string;
  readonly primary_text: string;
  readonly description: string;
  readonly call_to_action: string;
}

/** Words of an order: "Write me three ads for summer shoes." is about "summer shoes". */
const order =
  /^(?:please\s+)?(?:create|make|write|generate|design|draw|give|show)\s+(?:(?:me|us)\s+)?(?:[\w-]+\s+){0,4}?(?:ads?|advert(?:isement)?s?|copy|texts?|posts?|campaigns?|headlines?|slogans?)\s+(?:for|about|on|to promote|promoting)\s+(?=\S)/i;

const maxTopicLength = 60;

const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\s]+/gu, " ").trim();

/** Shortens a prompt to what a sentence can hold: no order, no full stop, no second half. */
const topicOf = (prompt: string): string => {
  const line = oneLine(prompt)
    .replace(order, "")
    .replace(/[\s.!,;:。！、]+$/, "");
  const cut = cutText(line, maxTopicLength, 4 * maxTopicLength);
  if (cut === line) return line;
  const clause = /^.{12,60}?(?=[.,;:!?] )/su.exec(line)?.[0];
  if (clause !== undefined) return clause;
  return cut.includes(" ") ? `${cut.slice(0, cut.lastIndexOf(" "))}…` : cut;
};

/** Writes an ad: the same for the same job and variation, another for each variation. */
export const writeCopy = (
  prompt: string,
  brandName: string | undefined,
  jobId: string,
  variation: number,
): AdCopy => {
  const asked = topicOf(prompt) || "something new";
  // Within a sentence: "Meet a cosy cabin", but "Meet Acme".
  const it = asked.replace(/^(?:An?|The|Our|Your|Some)(?= )/, (word) => word.toLowerCase());
  const [first = ""] = it;
  const brand = oneLine(brandName ?? "");
  const { headlines, primaryTexts, descriptions, callsToAction, by } = templates;
  const topic: Readonly<Record<string, string>> = {
    it,
    It: first.toUpperCase() + it.slice(first.length),
    by: brand && by.replace("{brand}", () => brand),
  };
  const turn = hash(jobId);
  const write = (sentences: readonly string[], count: number): string =>
    (sentences[count % sentences.length] ?? "").replace(
      /\{(\w+)\}/g,
      (_, name: string) => topic[name] ?? "",
    );
  // The other kinds move on where the headlines begin again: no two of 16 ads are alike.
  const round = variation + Math.floor(variation / headlines.length);
  return {
    headline: write(headlines, turn + variation),
    primary_text: write(primaryTexts, (turn >>> 4) + round),
    description: write(descriptions, (turn >>> 8) + round),
    call_to_action: write(callsToAction, (turn >>> 12) + round),
  };
};
