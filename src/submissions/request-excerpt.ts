/** Longest text that is kept whole. */
const longestText = 200;

/** Most items of a list that are kept. */
const mostItems = 20;

/** Longest excerpt, as JSON. */
const longestExcerpt = 4_000;

/** Cuts one value; gives `undefined`, which JSON leaves out, for what lies too deep. */
const cut = (value: unknown, depth: number): unknown => {
  if (typeof value === "string") {
    if (value.length <= longestText) return value;
    return `${value.slice(0, longestText)}… (${value.length} characters)`;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return "…";
  if (Array.isArray(value)) return value.slice(0, mostItems).map((item) => cut(item, depth - 1));
  const names = Object.keys(value).slice(0, mostItems);
  const fields = value as Record<string, unknown>;
  return Object.fromEntries(names.map((name) => [name, cut(fields[name], depth - 1)]));
};

/**
 * Cuts a request to what a person needs to recognise it. Pictures as data URLs have megabytes, and
 * a record is written before each submission.
 */
export const excerptOf = (body: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const excerpt = cut(body, 4) as Record<string, unknown>;
  if (JSON.stringify(excerpt).length <= longestExcerpt) return excerpt;
  // Many or strange parameters: those that the service is known to have tell enough.
  const known = ["action", "prompt", "brand_id", "variations", "duration"];
  const plain = known.filter((name) => typeof excerpt[name] !== "object");
  return Object.fromEntries(plain.map((name) => [name, excerpt[name]]));
};
