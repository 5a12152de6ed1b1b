import { cutText } from "../seeded/cut-text.ts";

/** Body of a submission, as a job keeps it. */
export type KeptRequest = Readonly<Record<string, unknown>>;

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

/** Counts characters of names and values, and stops above a limit. */
const lengthUpTo = (limit: number, value: unknown): number => {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 5;
  let length = 2;
  for (const [name, inner] of Object.entries(value)) {
    length += name.length + lengthUpTo(limit - length, inner);
    if (length > limit) break;
  }
  return length;
};

/** Characters that may still be kept. */
interface Room {
  left: number;
}

const cutWithin = (room: Room, text: string, graphemes: number): string => {
  const cut = cutText(text, graphemes, Math.max(room.left, 0));
  room.left -= cut.length;
  return cut;
};

/** Copies JSON, because a part of a text keeps the whole of it in memory. */
const copyOf = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

const cut = (room: Room, value: unknown): unknown => {
  if (typeof value === "string") {
    return cutWithin(
      room,
      value,
      data.test(value) ? limits.graphemesOfData : limits.graphemesOfText,
    );
  }
  room.left -= 5;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const kept: unknown[] = [];
    for (const item of value) {
      if (kept.length === limits.items || room.left <= 0) break;
      kept.push(cut(room, item));
    }
    const rest = value.length - kept.length;
    return rest > 0 ? [...kept, `… ${rest} more`] : kept;
  }
  const fields: [string, unknown][] = [];
  const entries = Object.entries(value);
  for (const [name, inner] of entries) {
    if (fields.length === limits.fields || room.left <= 0) break;
    fields.push([cutWithin(room, name, limits.graphemesOfName), cut(room, inner)]);
  }
  const rest = entries.length - fields.length;
  if (rest > 0) fields.push(["…", `${rest} more`]);
  return Object.fromEntries(fields);
};

/**
 * Keeps the body of a submission. A small one stays as it is; of a large one, texts and lists keep
 * their beginnings.
 */
export const keepRequest = (body: object): KeptRequest => {
  if (lengthUpTo(smallLength, body) <= smallLength) return body as KeptRequest;
  return copyOf(cut({ left: limits.length }, body)) as KeptRequest;
};

/** Makes what a job keeps of a prompt without its directives. */
export const keepPrompt = (prompt: string): string =>
  copyOf(cutText(prompt, limits.graphemesOfText, limits.length));

/** Gives the prompt of a kept request. */
export const promptIn = ({ prompt }: KeptRequest): string =>
  typeof prompt === "string" ? prompt : "";
