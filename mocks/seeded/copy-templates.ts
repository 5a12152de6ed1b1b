/**
 * Sentences of an ad. `{it}` is the subject, `{by}` the brand. Headlines quote the subject as it was
 * written, so that a test finds its own words.
 */
export const templates = {
  by: " by {brand}",
  headlines: [
    "Meet {it}{by}",
    "Made simple: {it}{by}",
    "Say hello to {it}{by}",
    "Just in: {it}{by}",
  ],
  primaryTexts: [
    "{It}{by}: everything you like about it, and nothing to worry about.",
    "Good things take time. Finding {it}{by} takes a minute.",
    "{It}{by}. Picked with care, ready when you are.",
    "For mornings, for evenings, for no reason at all: {it}{by}.",
  ],
  descriptions: [
    "Free delivery and 30 days to change your mind.",
    "Only while stocks last.",
    "Order today, smile tomorrow.",
    "Made to last{by}.",
  ],
  callsToAction: ["Shop now", "Learn more", "Get offer", "Sign up"],
};
