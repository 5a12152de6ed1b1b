/** Brightness and the two colour differences of a colour, 0 to 255. */
export type Yuv = readonly [number, number, number];

/** The quantiser at which a step of chroma is 1, of a cell's luma 2, and of plain luma 1/2. */
export const quantiser = 22;

/** Cells to draw, and those that a decoder will have drawn so far. */
export interface Drawing {
  /** Cells in a row, a multiple of 4. */
  readonly columns: number;
  /** Index of each cell's colour. */
  readonly cells: Uint8Array;
  readonly colors: readonly Yuv[];
  readonly luma: Uint8Array;
  /** Blocks of the two colour differences. */
  readonly chroma: readonly Uint8Array[];
  /** Prediction of each cell in this frame. */
  readonly modes: Uint8Array;
}

/** Predictions by their numbers in H.264: the cell above, the one on the left, or their mean. */
export const [above, beside, mean] = [0, 1, 2] as const;

/** Colour that cells without neighbours are predicted by. */
export const gray = 128;
