/** Writes the bits of a video stream, the highest bit of a byte first. */
export interface BitWriter {
  /** Writes the lowest `count` bits of a value; at most 24. */
  readonly bits: (value: number, count: number) => void;
  /** Writes a count by an Exp-Golomb code, `ue(v)` in H.264. */
  readonly count: (value: number) => void;
  /** Writes a number with a sign, `se(v)` in H.264. */
  readonly signed: (value: number) => void;
  /** Writes a code that a table of H.264 gives as text of 0 and 1. */
  readonly code: (code: string) => void;
  /** Ends the stream by a 1 and zeros up to the end of a byte. */
  readonly end: () => number[];
}

export const createBitWriter = (): BitWriter => {
  const bytes: number[] = [];
  let pending = 0;
  let pendingBits = 0;

  const bits = (value: number, count: number): void => {
    pending = (pending << count) | (value & ((1 << count) - 1));
    pendingBits += count;
    while (pendingBits >= 8) {
      pendingBits -= 8;
      bytes.push((pending >>> pendingBits) & 255);
    }
    pending &= (1 << pendingBits) - 1;
  };

  const count = (value: number): void => {
    const length = 31 - Math.clz32(value + 1);
    bits(0, length);
    bits(value + 1, length + 1);
  };

  return {
    bits,
    count,
    signed: (value) => count(value > 0 ? 2 * value - 1 : -2 * value),
    code: (code) => {
      for (const bit of code) bits(bit === "1" ? 1 : 0, 1);
    },
    end: () => {
      bits(1, 1);
      if (pendingBits > 0) bits(0, 8 - pendingBits);
      return bytes;
    },
  };
};
