/** Hashes a text to 32 bits (FNV-1a). */
export const hashText = (text: string): number => {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
};

/** Scrambles 32 bits one to one (the finalizer of MurmurHash3), so that two counts never collide. */
const scramble = (value: number): number => {
  let bits = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
};

/** Draws a number from 0 up to, but not including, 1. The same name always gives the same number. */
export const randomOf = (name: string): number => scramble(hashText(name)) / 2 ** 32;

/** Writes 32 bits as seven letters. It uses two halves, because `toString` of larger numbers is ten times slower. */
const letters = (value: number): string => {
  const high = Math.floor(value / 36 ** 4);
  const low = value - high * 36 ** 4;
  return high.toString(36).padStart(3, "0") + low.toString(36).padStart(4, "0");
};

/**
 * Creates the id of the `count`-th job, brand or ad, such as `job_0kd81xw1m3fz9a`. It depends on the
 * arguments only, so the same seed gives the same ids in every run.
 */
export const makeId = (kind: string, seed: string, count: number): string => {
  const first = scramble(count ^ hashText(seed));
  const second = scramble(count ^ hashText(`${kind}/${seed}`));
  return `${kind}_${letters(first)}${letters(second)}`;
};
