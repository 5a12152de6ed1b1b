import { type ArtworkOptions, resolveFormat } from "../options/artwork-options.ts";
import { type ArtworkFormat, type ArtworkFormats, makeArtwork } from "../seeded/artwork.ts";
import type { Engine } from "./engine.ts";

/**
 * Makes a picture of a job, or its video. Gives `undefined` when there is no such job, or when it
 * makes nothing of that number and format.
 *
 * @param variation - Number of the variation, from 1
 * @throws TypeError when the format is none
 */
export type MakeArtwork = <Format extends ArtworkFormat = "svg">(
  jobId: string,
  variation: number,
  options?: ArtworkOptions<Format>,
) => ArtworkFormats[Format] | undefined;

/** Makes the function that finds a job among all accounts, and makes its artwork. */
export const createArtwork =
  ({ current }: Engine): MakeArtwork =>
  <Format extends ArtworkFormat>(
    jobId: string,
    variation: number,
    options: ArtworkOptions<Format> = {},
  ) => {
    const format = resolveFormat(options) as Format;
    for (const { state } of current.world.accounts.values()) {
      const job = state.jobs.get(jobId);
      if (job !== undefined) return makeArtwork(job, variation, format);
    }
    return undefined;
  };
