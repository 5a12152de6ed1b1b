import { type Color, mix, type Palette } from "./colors.ts";
import { type Box, ellipse, type Point, rectangle, type Shape } from "./drawing.ts";

/** Draws a whole number from 0 to below `sides`: another one each time, the same in each run. */
export type Dice = (sides: number) => number;

/** Draws something to look at in a part of a picture. */
type Motif = (whole: Box, scene: Box, colors: Palette["scene"], dice: Dice) => readonly Shape[];

const middleOf = ({ x, y, width, height }: Box): Point => [x + width / 2, y + height / 2];

/** Draws hills side by side from one edge of the picture to the other, and the ground below. */
const ridge = ({ width, height }: Box, top: number, color: Color, dice: Dice): Shape[] => {
  const [size, rise] = [80 + dice(30), 16 + dice(8)];
  const ground = top + rise / 2;
  const shapes = [rectangle({ x: 0, y: ground, width, height: height - ground }, color)];
  for (let x = -dice(30); x < width + size / 2; x += 0.8 * size) {
    shapes.push(ellipse(x, top + rise + dice(4), size / 2, rise, color));
  }
  return shapes;
};

const hills: Motif = (whole, scene, [sky, sun, ground], dice) => {
  const scale = Math.min(scene.width / 100, scene.height / 50);
  const [x, y] = middleOf(scene);
  const [left, top, radius] = [dice(44) - 22, dice(14) - 16, scale * (10 + dice(9))];
  const moves: readonly Point[] = [
    [scale * (-110 - left), 30],
    [0, -8],
    [scale * (110 - left), 30],
  ];
  return [
    { ...ellipse(x + scale * left, y + scale * top, radius, radius, sun), moves },
    ...ridge(whole, y + 2, mix(ground, sky, 0.5), dice),
    ...ridge(whole, y + 14 + dice(5), ground, dice),
  ];
};

const product: Motif = (_, scene, [sky, one, two], dice) => {
  const scale = Math.min(scene.width / 76, scene.height / 66);
  const [x, y] = middleOf(scene);
  const [width, height] = [scale * (22 + dice(16)), scale * (34 + dice(14))];
  const top = y + 25 * scale - height;
  const [cap, halo] = [(width * (2 + dice(3))) / 5, mix("#ffffff", sky, 0.3)];
  const radius = scale * (34 + dice(12));
  const part = (across: number, from: number, to: number, color: Color, round = 0): Shape => ({
    ...rectangle({ x: x - across / 2, y: from, width: across, height: to - from }, color, round),
    moves: [
      [0, 0],
      [0, -6 * scale],
      [0, 0],
    ],
  });
  const label = top + height * (0.25 + dice(3) / 10);
  return [
    ellipse(x, y - 3 * scale, radius, radius, halo),
    ellipse(x, y + 27 * scale, width * 0.8, 3.5 * scale, mix("#000000", halo, 0.25)),
    part(cap, top - 7 * scale, top + scale, two),
    part(width, top, top + height, one, scale * (2 + dice(10))),
    part(width, label, label + height / 3, two),
  ];
};

const motifs = [hills, product];

/** Draws one of the motifs on a sky. A number that differs by one gives another. */
export const drawScene = (
  turn: number,
  whole: Box,
  scene: Box,
  colors: Palette["scene"],
  dice: Dice,
): Shape[] => {
  const draw = motifs[turn % motifs.length] ?? hills;
  return [rectangle(whole, colors[0]), ...draw(whole, scene, colors, dice)];
};
