import { type Action, creditOfAction } from "../../src/contract/actions.ts";
import { dataUrlOf, drawPicture } from "./artwork.ts";
import type { BrandLook } from "./brand-look.ts";
import { writeCopy } from "./copywriter.ts";

/** What a completed job made. @assumed A9 */
export type JobResult =
  | { readonly images: readonly { url: string; width: number; height: number }[] }
  | { readonly videos: readonly { url: string; duration: number }[] }
  | {
      readonly copy: readonly {
        headline: string;
        primary_text: string;
        description: string;
        call_to_action: string;
      }[];
    };

/** The fields of a job that decide its result. */
export interface MadeFrom {
  readonly id: string;
  readonly action: Action;
  /** Shortened: the results only quote it, and a million jobs must fit into memory. */
  readonly prompt: string;
  readonly variations: number;
  /** Seconds; videos only. */
  readonly duration: number | undefined;
  /** Looks of the brand at the submission. */
  readonly brand?: BrandLook;
}

const imageSize = { width: 1080, height: 1080 };
const videoSize = { width: 1280, height: 720 };

/**
 * One of a job's pictures as SVG text, drawn anew at each look, so that a job costs no memory for
 * what it made; `undefined` for a job that makes none, and for a number that it does not have.
 */
export const pictureOf = (job: MadeFrom, variation: number): string | undefined => {
  const { id, action, prompt, variations, duration, brand } = job;
  const credit = creditOfAction[action];
  if (credit === null) return undefined;
  if (!Number.isInteger(variation) || variation < 1 || variation > variations) return undefined;
  return drawPicture({
    action,
    prompt,
    variation,
    variations,
    seed: id,
    ...(credit === "image" ? imageSize : { ...videoSize, duration: duration ?? 0 }),
    ...(brand !== undefined && { brand }),
  });
};

/** How many jobs' pictures are kept drawn. */
const maxKept = 100;

/**
 * The pictures of the jobs that were looked at of late: whoever lists jobs again and again should
 * not pay for drawing them again and again. They are what `pictureOf` would draw, so nobody can
 * tell whether this is shared or empty; it is bounded, since a million jobs may be looked at.
 */
const kept = new Map<MadeFrom, readonly string[]>();

const inlinePicturesOf = (job: MadeFrom): readonly string[] => {
  const known = kept.get(job);
  if (known !== undefined) return known;
  const urls = Array.from({ length: job.variations }, (_, index) =>
    dataUrlOf(pictureOf(job, index + 1) ?? ""),
  );
  const [oldest] = kept.keys();
  if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest);
  kept.set(job, urls);
  return urls;
};

/**
 * What a job made: a function of its record.
 *
 * @param urlOf - Where a variation's picture is to be found. @default in the answer itself
 */
export const makeResult = (
  job: MadeFrom,
  urlOf: (variation: number) => string = (variation) => inlinePicturesOf(job)[variation - 1] ?? "",
): JobResult => {
  const { id, action, prompt, variations, duration, brand } = job;
  const oneEach = <Entry>(make: (variation: number) => Entry): Entry[] =>
    Array.from({ length: variations }, (_, index) => make(index + 1));

  switch (creditOfAction[action]) {
    case null:
      return {
        copy: oneEach((variation) => writeCopy(prompt, brand?.name, id, variation)),
      };
    case "image":
      return { images: oneEach((variation) => ({ url: urlOf(variation), ...imageSize })) };
    case "video":
      return {
        videos: oneEach((variation) => ({ url: urlOf(variation), duration: duration ?? 0 })),
      };
  }
};
