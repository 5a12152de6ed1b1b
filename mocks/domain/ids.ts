/** Makes 32 bits of a text (FNV-1a). */
export const hashText = (text: string): number => {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
};

/** Scrambles 32 bits one to one (finalizer of MurmurHash3), so that two counts never give one id. */
const scramble = (value: number): number => {
  let bits = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
};

/** Draws a number from 0 to below 1. The same name gives the same number. */
export const randomOf = (name: string): number => scramble(hashText(name)) / 2 ** 32;

/** Writes 32 bits in seven letters: in two parts, because larger numbers take ten times as long. */
const letters = (value: number): string => {
  const high = Math.floor(value / 36 ** 4);
  const low = value - high * 36 ** 4;
  return high.toString(36).padStart(3, "0") + low.toString(36).padStart(4, "0");
};

/**
 * Makes the id of the `count`-th thing of its kind: `job_0kd81xw1m3fz9a`.
 * It is a function of its arguments, so that the same seed gives the same ids in every run.
 */
export const makeId = (kind: string, seed: string, count: number): string => {
  const first = scramble(count ^ hashText(seed));
  const second = scramble(count ^ hashText(`${kind}/${seed}`));
  return `${kind}_${letters(first)}${letters(second)}`;
};
