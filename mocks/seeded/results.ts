import { creditOfAction } from "../../src/contract/actions.ts";
import { sizes } from "./artwork.ts";
import { writeCopy } from "./copywriter.ts";
import type { MadeFrom } from "./made-from.ts";

/**
 * Makes the result of a job, as a function of the job's record. @assumed A9
 *
 * @param urlOf - Gives the address of a variation's picture or video
 */
export const makeResult = (job: MadeFrom, urlOf: (variation: number) => string) => {
  const { id, action, prompt, variations, duration = 0, brand } = job;
  const oneEach = <Entry>(make: (variation: number) => Entry): Entry[] => {
    const entries: Entry[] = [];
    while (entries.length < variations) entries.push(make(entries.length + 1));
    return entries;
  };

  switch (creditOfAction[action]) {
    case null:
      return { copy: oneEach((variation) => writeCopy(prompt, brand?.name, id, variation)) };
    case "image":
      return { images: oneEach((variation) => ({ url: urlOf(variation), ...sizes.image })) };
    case "video":
      return { videos: oneEach((variation) => ({ url: urlOf(variation), duration })) };
  }
};
