import { creditOfAction } from "../../src/contract/actions.ts";
import type { BrandLook } from "./brand-look.ts";
import { type AdCopy, writeCopy } from "./copywriter.ts";
import { dataUrlOf, drawPicture } from "./picture.ts";

/** Result of a completed job. @assumed A9 */
export type JobResult =
  | { readonly images: readonly { url: string; width: number; height: number }[] }
  | { readonly videos: readonly { url: string; duration: number }[] }
  | { readonly copy: readonly AdCopy[] };

/** Facts of a job that its result is made from. */
export interface MadeFrom {
  readonly id: string;
  readonly action: keyof typeof creditOfAction;
  readonly prompt: string;
  readonly variations: number;
  /** Seconds; videos only. */
  readonly duration: number | undefined;
  readonly brand?: BrandLook;
}

const imageSize = { width: 1080, height: 1080 };
const videoSize = { width: 1280, height: 720 };

/**
 * Draws one of a job's pictures as SVG text. Each call draws it anew, so that a job costs no
 * memory for its pictures. Gives `undefined` where the job has no such picture.
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

/**
 * Makes the result of a job, as a function of the job's record.
 *
 * @param urlOf - Gives the address of a variation's picture. @default a data URL
 */
export const makeResult = (
  job: MadeFrom,
  urlOf: (variation: number) => string = (variation) => dataUrlOf(pictureOf(job, variation) ?? ""),
): JobResult => {
  const { id, action, prompt, variations, duration = 0, brand } = job;
  const oneEach = <Entry>(make: (variation: number) => Entry): Entry[] =>
    Array.from({ length: variations }, (_, index) => make(index + 1));

  switch (creditOfAction[action]) {
    case null:
      return { copy: oneEach((variation) => writeCopy(prompt, brand?.name, id, variation)) };
    case "image":
      return { images: oneEach((variation) => ({ url: urlOf(variation), ...imageSize })) };
    case "video":
      return { videos: oneEach((variation) => ({ url: urlOf(variation), duration })) };
  }
};
