import { hash } from "./ids.ts";

/** One ad's text. @assumed A9 */
interface AdCopy {
  readonly headline: string;
  readonly primary_text: string;
  readonly description: string;
  readonly call_to_action: string;
}

/** What the ad is about; the same with a capital; whose it is, with a word before it, or nothing. */
interface Topic {
  readonly it: string;
  readonly It: string;
  readonly by: string;
  readonly at: string;
}

/** Quote it as it was written, so that a test finds its own words. */
const headlines: readonly ((topic: Topic) => string)[] = [
  ({ it, by }) => `Meet ${it}${by}`,
  ({ it, at }) => `Made simple: ${it}${at}`,
  ({ it, by }) => `Say hello to ${it}${by}`,
  ({ it, at }) => `It starts here: ${it}${at}`,
  ({ it, at }) => `Ready for ${it}? Find it${at || " here"}`,
  ({ it, by }) => `Discover ${it}${by}`,
  ({ it, by }) => `Just in: ${it}${by}`,
  ({ it, at }) => `All about ${it}${at}`,
  ({ it, by }) => `Make room for ${it}${by}`,
  ({ it, at }) => `Now or never: ${it}${at}`,
];

/** Ten of each kind: as many as a job has variations at most, so that no two are alike. */
const primaryTexts: readonly ((topic: Topic) => string)[] = [
  ({ It, by }) => `${It}${by}: everything you like about it, and nothing you have to think about.`,
  ({ it, at }) => `You have been thinking about ${it} for a while. Today is a good day${at}.`,
  ({ it, at }) => `We looked at ${it} again, from the start. Come and see what changed${at}.`,
  ({ It, by }) => `${It}${by}. Picked with care, ready when you are, gone when it is gone.`,
  ({ it, at }) => `Somebody told you about ${it}. They were right. See for yourself${at}.`,
  ({ it, by }) => `Good things take time. Finding ${it}${by} takes a minute.`,
  ({ It, at }) => `${It}? Yes, please. Have a look${at} before everybody else does.`,
  ({ it, by }) => `For mornings, for evenings, for no reason at all: ${it}${by}.`,
  ({ it, at }) => `Two clicks from here to ${it}. Three if you read the details${at}.`,
  ({ It, by }) => `${It}${by}, just as you would have done it yourself.`,
];

const descriptions: readonly ((topic: Topic) => string)[] = [
  () => "Free delivery and 30 days to change your mind.",
  () => "Only while stocks last.",
  ({ at }) => `New this week${at}.`,
  () => "Loved by people who know what they like.",
  () => "Order today, smile tomorrow.",
  ({ at }) => `See the whole range${at}.`,
  () => "No strings attached, no small print.",
  ({ by }) => `Made to last${by}.`,
  () => "Find out in less than a minute why people come back.",
  () => "Your friends will ask where you got it.",
];

const callsToAction = [
  "Shop now",
  "Learn more",
  "Get offer",
  "Sign up",
  "See more",
  "Order now",
  "Book now",
  "Subscribe",
  "Contact us",
  "Download",
];

/** "Write me three ads for summer shoes." asks for an ad about "summer shoes". */
const request =
  /^(?:please\s+)?(?:create|make|write|generate|design|draw|give|show)\s+(?:(?:me|us)\s+)?(?:[\w-]+\s+){0,4}?(?:ads?|advert(?:isement)?s?|copy|texts?|posts?|campaigns?|headlines?|slogans?)\s+(?:for|about|on|to promote|promoting)\s+(?=\S)/i;

const maxTopicLength = 60;

/** A prompt as a sentence can hold it: without its order, its full stop, and its second half. */
const topicOf = (subject: string): string => {
  const line = subject
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, " ")
    .trim()
    .replace(request, "")
    .replace(/[\s.!,;:]+$/, "");
  const letters = [...line];
  if (letters.length <= maxTopicLength) return line;
  const clause = /^.{12,60}?(?=[.,;:!?] )/su.exec(line)?.[0];
  if (clause !== undefined) return clause;
  const cut = letters.slice(0, maxTopicLength).join("");
  return `${cut.includes(" ") ? cut.slice(0, cut.lastIndexOf(" ")) : cut}…`;
};

const capitalized = (text: string): string => {
  const [first = ""] = text;
  return first.toUpperCase() + text.slice(first.length);
};

/** What an ad could say: the same for the same job and variation, another for each variation. */
export const writeCopy = (
  subject: string,
  brandName: string | undefined,
  jobId: string,
  variation: number,
): AdCopy => {
  const asked = topicOf(subject) || "something new";
  // Within a sentence: "Meet a cosy cabin", but "Meet Acme".
  const it = asked.replace(/^(?:An?|The|Our|Your|Some)(?= )/, (word) => word.toLowerCase());
  const brand = brandName?.replace(/[\p{Cc}\p{Cs}\s]+/gu, " ").trim();
  const topic: Topic = {
    it,
    It: capitalized(it),
    by: brand ? ` by ${brand}` : "",
    at: brand ? ` at ${brand}` : "",
  };
  const turn = hash(jobId);
  const write = (texts: readonly ((topic: Topic) => string)[], step: number): string =>
    texts[((turn >>> step) + variation) % texts.length]?.(topic) ?? it;
  return {
    headline: write(headlines, 0),
    primary_text: write(primaryTexts, 4),
    description: write(descriptions, 8),
    call_to_action: callsToAction[((turn >>> 12) + variation) % callsToAction.length] ?? "",
  };
};
