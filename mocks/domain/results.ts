import { creditOfAction } from "../../src/contract/actions.ts";
import { drawPicture } from "./artwork.ts";
import type { JobRecord } from "./job-timeline.ts";

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

const imageSize = { width: 1080, height: 1080 };
const videoSize = { width: 1280, height: 720 };

const headlines = ["Meet", "Discover", "Get more from", "Make room for", "Say hello to"];
const callsToAction = ["Shop now", "Learn more", "Sign up", "Get offer"];

const pick = (choices: readonly string[], variation: number): string =>
  choices[(variation - 1) % choices.length] ?? "";

const writeCopy = (subject: string, variation: number) => ({
  headline: `${pick(headlines, variation)} ${subject}`,
  primary_text: `You asked for ${subject}. Here it is, and it is better than you remember.`,
  description: `Version ${variation}, written for people who like ${subject}.`,
  call_to_action: pick(callsToAction, variation),
});

/** Worked out anew at each look, so that a job costs no memory for what it made. */
export const makeResult = ({ action, prompt, variations, duration }: JobRecord): JobResult => {
  const oneEach = <Entry>(make: (variation: number) => Entry): Entry[] =>
    Array.from({ length: variations }, (_, index) => make(index + 1));

  switch (creditOfAction[action]) {
    case null:
      return { copy: oneEach((variation) => writeCopy(prompt || "something new", variation)) };
    case "image":
      return {
        images: oneEach((variation) => ({
          url: drawPicture({ action, prompt, variation, ...imageSize }),
          ...imageSize,
        })),
      };
    case "video": {
      const seconds = duration ?? 0;
      return {
        videos: oneEach((variation) => ({
          url: drawPicture({ action, prompt, variation, ...videoSize, duration: seconds }),
          duration: seconds,
        })),
      };
    }
  }
};
