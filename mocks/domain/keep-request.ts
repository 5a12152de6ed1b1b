import { cutText } from "../seeded/cut-text.ts";

/** Body of a submission, as a job keeps it. */
export type KeptRequest = Readonly<Record<string, unknown>> & {
  readonly prompt?: string | undefined;
};

/** Characters of a body that is kept as it is. */
const smallLength = 2_000;

/** Limits of what is kept of a larger body. */
const limits = {
  /** Characters of all names and values. */
  length: 8_000,
  graphemesOfText: 2_000,
  graphemesOfName: 80,
  /** Of base64 and data URLs: enough to tell the type. */
  graphemesOfData: 80,
  items: 20,
  fields: 50,
} as const;

/** Base64 mixes letters and digits without full stops, colons or spaces; URLs and sentences have some. */
const data = /^(?:data:|(?=.{0,199}\d)(?=.{0,199}[a-z])(?=.{0,199}[A-Z])[\w+/=-]{200})/;

/** Copies JSON, because a part of a text keeps the whole of it in memory. */
const copyOf = <Value>(value: Value, replacer?: (name: string, value: unknown) => unknown): Value =>
  JSON.parse(JSON.stringify(value, replacer));

/**
 * Keeps the body of a submission. A small one stays as it is; of a large one, texts and lists keep
 * their beginnings.
 */
export const keepRequest = (body: object): KeptRequest => {
  if (JSON.stringify(body).length <= smallLength) return body as KeptRequest;
  let left: number = limits.length;
  const cut = (text: string, graphemes: number): string => {
    const short = cutText(text, graphemes, Math.max(left, 0));
    left -= short.length;
    return short;
  };
  return copyOf(body as KeptRequest, (_, value) => {
    if (typeof value === "string") {
      return cut(value, data.test(value) ? limits.graphemesOfData : limits.graphemesOfText);
    }
    left -= 5;
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value);
    const most = Array.isArray(value) ? limits.items : limits.fields;
    const kept = entries.slice(0, left > 0 ? most : 0);
    const rest = entries.length - kept.length;
    if (Array.isArray(value)) {
      return [...value.slice(0, kept.length), ...(rest > 0 ? [`… ${rest} more`] : [])];
    }
    const fields = kept.map(([name, inner]) => [cut(name, limits.graphemesOfName), inner]);
    return Object.fromEntries([...fields, ...(rest > 0 ? [["…", `${rest} more`]] : [])]);
  });
};
