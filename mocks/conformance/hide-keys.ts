/** Ways in which a text may spell a key: as it is, in JSON, in a URL. */
const spellings = (key: string): string[] => [
  key,
  JSON.stringify(key).slice(1, -1),
  encodeURIComponent(key),
];

/** Hides keys in a text: a service may repeat one, and a report may be passed on. */
export const hideKeys = (text: string, keys: Iterable<string>): string =>
  [...keys]
    .flatMap(spellings)
    .filter((spelling) => spelling !== "")
    // A key that begins with another one goes first.
    .sort((one, other) => other.length - one.length)
    .reduce((shown, spelling) => shown.replaceAll(spelling, "***"), text);
