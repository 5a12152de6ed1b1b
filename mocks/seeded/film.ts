import { recordedFilm } from "./recorded-film.ts";

/** Boxes that hold the length of a recorded film, and its place behind their names. */
const lengths = [
  ["mvhd", 20],
  ["tkhd", 24],
  ["mdhd", 20],
] as const;

const frames = 12;

/**
 * Makes an MP4 file of the recorded film. Its frames are shown for longer or shorter.
 *
 * @param name - ASCII text by which the bytes of two films differ
 */
export const makeFilm = (seconds: number, name: string): Uint8Array<ArrayBuffer> => {
  const recorded = atob(recordedFilm);
  // Players skip a box that is called "free".
  const file = `${recorded}\0\0\0\0free${name}`;
  const bytes = Uint8Array.from(file, (character) => character.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  view.setUint32(recorded.length, file.length - recorded.length);

  const write = (box: string, offset: number, value: number): void =>
    view.setUint32(recorded.indexOf(box) + offset, value);
  // A second has 12,000 units: each of the 12 frames has as many as the film has milliseconds.
  const unitsOfFrame = Math.max(Math.round(seconds * 1000), 1);
  write("stts", 16, unitsOfFrame);
  for (const [box, offset] of lengths) write(box, offset, frames * unitsOfFrame);
  return bytes;
};
