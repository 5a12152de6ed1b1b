import type { Palette } from "./colors.ts";

/** Draws a whole number from 0 to below `sides`: another one each time, the same in each run. */
export type Dice = (sides: number) => number;

/** Draws something to look at around the middle of 100 × 100 units, with sky far beyond them. */
type Motif = (colors: Palette["scene"], dice: Dice, move: Move) => string;

/** Gives the animation of a shape, or nothing in a picture that stands still. */
type Move = (values: string) => string;

const sky = (color: string): string => `<path d='M-300-300h700v700h-700z' fill='${color}'/>`;

const hills: Motif = ([back, sun, ground], dice, move) => {
  const [x, y, size] = [28 + dice(44), 34 + dice(14), 10 + dice(9)];
  const [swell, shift] = [16 + dice(14), dice(70)];
  const ridge = (top: number, more: string): string =>
    `<path d='M${-200 - shift} ${top}q45-${swell} 90 0t90 0 90 0 90 0 90 0 90 0V400h-540z' fill='${ground}'${more}/>`;
  return `${sky(back)}<circle cx='${x}' cy='${y}' r='${size}' fill='${sun}'>${move(`${-x - 60} 30;0 -8;${160 - x} 30`)}</circle>${ridge(56, " opacity='.5'")}${ridge(67 + dice(5), "")}`;
};

const product: Motif = ([back, one, two], dice, move) => {
  const [width, height, round] = [22 + dice(16), 34 + dice(14), 2 + dice(10)];
  const [left, top, cap] = [50 - width / 2, 78 - height, (width * (2 + dice(3))) / 5];
  const label = top + height * (0.25 + dice(3) / 10);
  return `${sky(back)}<circle cx='50' cy='50' r='${34 + dice(12)}' fill='#fff' opacity='.3'/><ellipse cx='50' cy='80' rx='${width * 0.8}' ry='3.5' opacity='.25'/><g fill='${one}'><path d='M${50 - cap / 2} ${top - 7}h${cap}v8h${-cap}z' fill='${two}'/><rect x='${left}' y='${top}' width='${width}' height='${height}' rx='${round}'/><path d='M${left} ${label}h${width}v${height / 3}h${-width}z' fill='${two}'/>${move("0 0;0 -6;0 0")}</g>`;
};

const motifs = [
  { draw: hills, viewBox: "0 25 100 50" },
  { draw: product, viewBox: "12 20 76 66" },
];

/** Draws one of the motifs. A number that differs by one gives another. */
export const drawScene = (
  turn: number,
  colors: Palette["scene"],
  dice: Dice,
  loop: string,
): { readonly svg: string; readonly viewBox: string } => {
  const { draw, viewBox } = motifs[turn % motifs.length] ?? { draw: hills, viewBox: "0 0 100 100" };
  const move: Move = (values) =>
    loop &&
    `<animateTransform attributeName='transform' type='translate' values='${values}' ${loop}/>`;
  return { svg: draw(colors, dice, move), viewBox };
};
