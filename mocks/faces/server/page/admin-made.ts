/** One picture, or a moving one that stands in for a video. */
interface Picture {
  /** Of this server; absent when it is somewhere else. */
  readonly src?: string;
  /** Where it is, when that is somewhere else: shown as text, never fetched. */
  readonly elsewhere?: string;
  readonly seconds?: number;
}

/** A job's result as the page shows it. */
export interface Made {
  readonly images?: readonly Picture[];
  readonly videos?: readonly Picture[];
  readonly copy?: readonly unknown[];
  /** A result of another shape, as shortened JSON. */
  readonly other?: string;
}

const shownLength = 600;
const shownPieces = 10;
const artworkPath = "/__mock/artwork/";

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url);

/** A picture of our own: served here, or drawn into its URL. The rest of the web stays out. */
const showPicture = (jobId: string, picture: unknown, index: number): Picture => {
  const { url, duration } = (picture ?? {}) as Record<string, unknown>;
  const seconds = typeof duration === "number" ? { seconds: duration } : {};
  const text = typeof url === "string" ? url : (JSON.stringify(url) ?? "");
  const isDrawn = text.startsWith("data:image/svg+xml");
  const isOurs = isDrawn || pathOf(text).startsWith(artworkPath);
  if (!isOurs) return { elsewhere: text.slice(0, 200), ...seconds };
  return { src: `${artworkPath}${encodeURIComponent(jobId)}/${index + 1}.svg`, ...seconds };
};

/** Texts only: what a test has put in their place may be anything. */
const showCopy = (copy: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries((copy ?? {}) as object).map(([name, value]) => [
      name,
      typeof value === "string" ? value : (JSON.stringify(value) ?? ""),
    ]),
  );

const shorten = (value: unknown): string => {
  const text = JSON.stringify(value, undefined, 1) ?? "";
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
};

export const showMade = (jobId: string, result: unknown): Made => {
  const { images, videos, copy } = (result ?? {}) as Record<string, unknown>;
  const pictures = (list: unknown[]) =>
    list.slice(0, shownPieces).map((picture, index) => showPicture(jobId, picture, index));
  if (Array.isArray(images)) return { images: pictures(images) };
  if (Array.isArray(videos)) return { videos: pictures(videos) };
  if (Array.isArray(copy)) return { copy: copy.slice(0, shownPieces).map(showCopy) };
  return { other: shorten(result) };
};
