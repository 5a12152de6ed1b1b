import type { Color } from "./colors.ts";

/** Place of a thing in a picture. Lengths are hundredths of the picture's shorter side. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A rectangle or an ellipse. */
export interface Shape extends Box {
  readonly color: Color;
  /** Radius of the corners. One that is larger than the shape makes an ellipse. */
  readonly round: number;
}

/**
 * A line of text in the middle of its room, whose letters stand on `y`. Where `width` has no room
 * for the letters, they are set narrower.
 */
export interface Line extends Omit<Box, "height"> {
  readonly text: string;
  readonly size: number;
  readonly color: Color;
}

/** Width and height in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** A picture as data, from the lowest thing to the highest. */
export interface Drawing extends PixelSize {
  readonly title: string;
  readonly things: readonly (Shape | Line)[];
}

export const rectangle = (box: Box, color: Color, round = 0): Shape => ({ ...box, color, round });

/** Makes an ellipse around a point. */
export const ellipse = (x: number, y: number, rx: number, ry: number, color: Color): Shape =>
  rectangle({ x: x - rx, y: y - ry, width: 2 * rx, height: 2 * ry }, color, 99);
