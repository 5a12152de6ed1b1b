/** Ways in which a text may spell a key: as it is, in JSON, in a URL, in base64. */
const spellings = (key: string): string[] => [
  key,
  JSON.stringify(key).slice(1, -1),
  encodeURIComponent(key),
  Buffer.from(key).toString("base64").replace(/=+$/, ""),
];

/**
 * Hides keys in a text: a service may repeat one, and a report may be passed on. A key is named by
 * its place among the keys, so that accounts can still be told apart.
 */
export const hideKeys = (text: string, keys: Iterable<string>): string =>
  [...keys]
    .flatMap((key, index) => spellings(key).map((spelling) => [spelling, index] as const))
    .filter(([spelling]) => spelling !== "")
    // A key that begins with another one goes first.
    .sort(([one], [other]) => other.length - one.length)
    .reduce((shown, [spelling, index]) => shown.replaceAll(spelling, `***${index || ""}`), text);
