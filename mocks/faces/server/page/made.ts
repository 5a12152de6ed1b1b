import { picturePath } from "../../../http/picture-url.ts";

/** A picture, or a moving picture that stands in for a video. */
export interface Picture {
  /** Path on this server; absent when the picture is on another server. */
  readonly src?: string;
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
const mostColors = 8;
const drawn = new RegExp(`^${picturePath}/[\\w%.-]+/\\d+\\.(?:svg|png|mp4)$`);
const inline = /^data:(?:image\/svg\+xml,|image\/png;base64,|video\/mp4;base64,)/;
const color = /^(#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|(rgb|hsl|oklch)a?\([\d\s.,%/deg]{5,40}\))$/i;

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url);

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

const shorten = (value: unknown, most: number): string => {
  const text = JSON.stringify(value, undefined, 1) ?? "";
  return text.length > most ? `${text.slice(0, most)}…` : text;
};

/** A test may complete a job with any result, so its pieces may be anything. */
const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => ({ ...Object(value) });

/** Shows pictures that this server draws. The page fetches nothing from other servers. */
const showPicture = (jobId: string, piece: unknown, index: number): Picture => {
  const { url, duration } = fieldsOf(piece);
  const text = textOf(url);
  const isOurs = inline.test(text) || pathOf(text).startsWith(`${picturePath}/`);
  return {
    ...(isOurs
      ? { src: `${picturePath}/${encodeURIComponent(jobId)}/${index + 1}.svg` }
      : { elsewhere: text.slice(0, 200) }),
    ...(typeof duration === "number" && { seconds: duration }),
  };
};

const showCopy = (piece: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fieldsOf(piece)).map(([name, value]) => [name, textOf(value)]));

/** Shows a completed job's result. */
export const showMade = (jobId: string, result: unknown): Made => {
  const { images, videos, copy } = fieldsOf(result);
  const pictures = (list: readonly unknown[]): Picture[] =>
    list.slice(0, mostPieces).map((piece, index) => showPicture(jobId, piece, index));
  if (Array.isArray(images)) return { images: pictures(images) };
  if (Array.isArray(videos)) return { videos: pictures(videos) };
  if (Array.isArray(copy)) return { copy: copy.slice(0, mostPieces).map(showCopy) };
  return { other: shorten(result, 600) };
};

/** Lists the texts in a JSON value; a large or deep value is not read to its end. */
const textsIn = (value: unknown, depth = 0): string[] => {
  if (typeof value === "string") return value.length < 300 ? [value] : [];
  if (typeof value !== "object" || value === null || depth > 5) return [];
  return Object.values(value)
    .slice(0, 50)
    .flatMap((part) => textsIn(part, depth + 1));
};

/**
 * Shows a brand or a saved ad. Clients choose the fields of both freely. The colors are all CSS
 * colors in its texts. The picture is one that this server draws.
 */
export const showThing = (thing: { readonly id: string } & object) => {
  const { name, title, headline, brand_id: brandId } = fieldsOf(thing);
  const texts = textsIn(thing);
  const picture = texts.map(pathOf).find((path) => drawn.test(path));
  const label = [name, title, headline].find((value) => typeof value === "string");
  return {
    id: thing.id,
    name: String(label ?? thing.id).slice(0, 120),
    colors: [...new Set(texts.filter((text) => color.test(text)))].slice(0, mostColors),
    ...(typeof brandId === "string" && { brandId }),
    // The page shows the poster of a video.
    ...(picture !== undefined && { picture: picture.replace(/\w+$/, "svg") }),
    text: shorten(thing, 1500),
  };
};

/** A brand or a saved ad as the page shows it. */
export type Thing = ReturnType<typeof showThing>;
