import type { ArtworkOptions } from "../options/options.ts";
import { resolveFormat } from "../options/resolve-options.ts";
import { type ArtworkFormat, makeArtwork } from "../seeded/artwork.ts";
import type { Engine } from "./engine.ts";
import type { MockService } from "./mock-service.ts";

/** Makes the function that finds a job among all accounts, and makes its artwork. */
export const createArtwork =
  ({ current }: Engine): MockService["artwork"] =>
  <Format extends ArtworkFormat = "svg">(
    jobId: string,
    variation: number,
    options: ArtworkOptions<Format> = {},
  ) => {
    const format = resolveFormat(options) as Format;
    const slots = [...current.world.accounts.values()];
    const job = slots
      .map(({ state }) => state.jobs.get(jobId))
      .find((found) => found !== undefined);
    return job && makeArtwork(job, variation, format);
  };
