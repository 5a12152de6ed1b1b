import type { Picture } from "../../mocks/seeded/picture.ts";

/** A picture to draw, but for what a test changes. */
export const samplePicture = (changes: Partial<Picture> = {}): Picture => ({
  action: "generate-ad",
  prompt: "Summer sale",
  variation: 1,
  width: 1080,
  height: 1080,
  ...changes,
});
