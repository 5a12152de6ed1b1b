import { cutText } from "../seeded/cut-text.ts";

/** Body of a submission, as a job keeps it. */
export type KeptRequest = Readonly<Record<string, unknown>> & {
  readonly prompt?: string | undefined;
};

/** Characters of a body that is kept as it is, and graphemes of a text in a larger one. */
const smallLength = 2_000;

/** Graphemes of base64 and data URLs: enough to tell the type. */
const dataLength = 80;

/** Base64 mixes letters and digits without full stops, colons or spaces; URLs and sentences have some. */
const data = /^(?:data:|(?=.{0,199}\d)(?=.{0,199}[a-z])(?=.{0,199}[A-Z])[\w+/=-]{200})/;

/**
 * Keeps the body of a submission. A small one stays as it is; of a large one, texts are cut.
 *
 * @param length - Characters of the text that it was sent as
 */
export const keepRequest = (body: object, length = JSON.stringify(body).length): KeptRequest => {
  if (length <= smallLength) return body as KeptRequest;
  // Parsed, because a part of a text keeps the whole of it in memory.
  const cut = JSON.stringify(body, (_, value) => {
    if (typeof value !== "string") return value;
    const length = data.test(value) ? dataLength : smallLength;
    return cutText(value, length, 4 * length);
  });
  return JSON.parse(cut);
};
