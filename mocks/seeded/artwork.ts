import { creditOfAction } from "../../src/contract/actions.ts";
import { makeFilm } from "./film.ts";
import type { MadeFrom } from "./made-from.ts";
import { drawPicture } from "./picture.ts";
import { writePng } from "./png.ts";
import { dataUrlOf, writeSvg } from "./svg.ts";

/** Format of the pictures in results. @inline */
export type PictureFormat = "svg" | "png";

/** Artwork of one variation by its format; the bytes of files, or the text of SVG. */
export interface ArtworkFormats {
  /** A picture as text. Of a video it is the poster. */
  readonly svg: string;
  /** A picture as a PNG file. Of a video it is the poster. */
  readonly png: Uint8Array<ArrayBuffer>;
  /** A video as an MP4 file; pictures have none. */
  readonly mp4: Uint8Array<ArrayBuffer>;
}

/** Format of a picture or a video. */
export type ArtworkFormat = keyof ArtworkFormats;

/** Sizes of pictures and of videos' posters, in pixels. @assumed A9 */
export const sizes = {
  image: { width: 1080, height: 1080 },
  video: { width: 1280, height: 720 },
} as const;

const draw = (job: MadeFrom, variation: number) =>
  drawPicture(job, variation, sizes[creditOfAction[job.action] ?? "image"]);

const makers: {
  readonly [Format in ArtworkFormat]: (
    job: MadeFrom,
    variation: number,
  ) => ArtworkFormats[Format] | undefined;
} = {
  svg: (job, variation) => writeSvg(draw(job, variation)),
  png: (job, variation) => writePng(draw(job, variation)),
  mp4: ({ action, id, duration = 0 }, variation) =>
    creditOfAction[action] === "video" ? makeFilm(duration, `${id}/${variation}`) : undefined,
};

/**
 * Makes one of a job's pictures or videos. Each call makes it anew, so that a job costs no memory
 * for its artwork. Gives `undefined` where the job has none of that number or format.
 */
export const makeArtwork = <Format extends ArtworkFormat>(
  job: MadeFrom,
  variation: number,
  format: Format,
): ArtworkFormats[Format] | undefined => {
  if (creditOfAction[job.action] === null) return undefined;
  if (!Number.isInteger(variation) || variation < 1 || variation > job.variations) return undefined;
  return makers[format](job, variation);
};

/** Gives the format of a job's result: a video is a video, however pictures are written. */
export const formatOf = (
  { action }: Pick<MadeFrom, "action">,
  pictures: PictureFormat,
): ArtworkFormat => (creditOfAction[action] === "video" ? "mp4" : pictures);

const mediaTypes = { png: "image/png", mp4: "video/mp4" } as const;

const base64Of = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

/** Makes an address that holds one of a job's pictures or videos itself. */
export const inlineUrl = (job: MadeFrom, variation: number, pictures: PictureFormat): string => {
  const format = formatOf(job, pictures);
  if (format === "svg") return dataUrlOf(makeArtwork(job, variation, format) ?? "");
  const bytes = makeArtwork(job, variation, format) ?? new Uint8Array();
  return `data:${mediaTypes[format]};base64,${base64Of(bytes)}`;
};
