import type { Drawing, PixelSize } from "../../mocks/seeded/drawing.ts";
import type { MadeFrom } from "../../mocks/seeded/made-from.ts";
import { drawPicture } from "../../mocks/seeded/picture.ts";
import { writeSvg } from "../../mocks/seeded/svg.ts";

/** Facts that a test changes in a picture. */
export interface SampleChanges extends Partial<MadeFrom>, Partial<PixelSize> {
  readonly variation?: number;
}

export const drawSample = (changes: SampleChanges = {}): Drawing => {
  const { variation = 1, width = 1080, height = 1080, ...own } = changes;
  const job: MadeFrom = {
    id: "job_1",
    action: "generate-ad",
    prompt: "Summer sale",
    variations: 1,
    duration: undefined,
    ...own,
  };
  return drawPicture(job, variation, { width, height });
};

export const sampleSvg = (changes: SampleChanges = {}): string => writeSvg(drawSample(changes));
