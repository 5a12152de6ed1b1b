import { picturePath } from "../../../../http/picture-url.ts";
import { cutText } from "../../../../seeded/cut-text.ts";
import { writeJson } from "../markup.ts";

/** A picture or a video. */
export interface Picture {
  /** Path of the picture on this server; absent when it is on another server. */
  readonly src?: string;
  /** Path of the video on this server, whose picture `src` is. */
  readonly video?: string;
  /** Address on another server: shown as text, never fetched. */
  readonly elsewhere?: string;
  /** Length of a video. */
  readonly seconds?: number;
}

/** A job's result as the page shows it. */
export interface Made {
  readonly images?: readonly Picture[];
  readonly videos?: readonly Picture[];
  readonly copy?: readonly Readonly<Record<string, string>>[];
  /** A result of another shape, as shortened JSON. */
  readonly other?: string;
}

const mostPieces = 10;

/** Fields of an ad copy that the page shows. */
const copyFields = new Set(["headline", "primary_text", "description", "call_to_action"]);

/** Graphemes of each text of an ad copy. */
const longestCopy = 500;

const drawnInline = /^data:(?:image\/(?:svg\+xml|png)|video\/mp4)[;,]/;

/** Gives the path of a URL, which may be on another server. */
export const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url);

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

/** Reads the fields of a value that clients or tests chose freely. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => ({
  ...Object(value),
});

/** Shows pictures that this server draws. The page fetches nothing from other servers. */
const showPicture = (jobId: string, piece: unknown, index: number): Picture => {
  const { url, duration } = fieldsOf(piece);
  const text = textOf(url);
  const isOurs = drawnInline.test(text) || pathOf(text).startsWith(`${picturePath}/`);
  const place = `${picturePath}/${encodeURIComponent(jobId)}/${index + 1}`;
  return {
    ...(isOurs ? { src: `${place}.svg` } : { elsewhere: text.slice(0, 200) }),
    ...(isOurs && /^data:video\/|\.mp4$/.test(text) && { video: `${place}.mp4` }),
    ...(typeof duration === "number" && { seconds: duration }),
  };
};

const showCopy = (piece: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fieldsOf(piece))
      .filter(([name]) => copyFields.has(name))
      .map(([name, value]) => [name, cutText(textOf(value), longestCopy, 4 * longestCopy)]),
  );

/** Shows a completed job's result. */
export const showMade = (jobId: string, result: unknown): Made => {
  const { images, videos, copy } = fieldsOf(result);
  const pictures = (list: readonly unknown[]): Picture[] =>
    list.slice(0, mostPieces).map((piece, index) => showPicture(jobId, piece, index));
  if (Array.isArray(images)) return { images: pictures(images) };
  if (Array.isArray(videos)) return { videos: pictures(videos) };
  if (Array.isArray(copy)) return { copy: copy.slice(0, mostPieces).map(showCopy) };
  return { other: writeJson(result, 600) };
};
