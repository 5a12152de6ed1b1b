import type { Palette } from "./artwork-color.ts";

/** A whole number from 0 to below `sides`, another at each throw, the same in each run. */
export type Dice = (sides: number) => number;

export const createDice = (seed: number): Dice => {
  let state = seed;
  // The upper bits of a linear congruential generator: plenty for where a circle stands.
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * sides);
  };
};

/** Draws 100 × 100 units; `loop` is the timing of what moves, `undefined` when nothing does. */
type Scene = (colors: Palette["scene"], dice: Dice, loop: string | undefined) => string;

/** Far beyond the 100 × 100 units: a scene may be wider or higher than it is drawn. */
const sky = (color: string): string => `<path d='M-200-200h500v500h-500z' fill='${color}'/>`;

const move = (type: string, values: string, loop: string | undefined): string =>
  loop === undefined
    ? ""
    : `<animateTransform attributeName='transform' type='${type}' values='${values}' ${loop}/>`;

const hills: Scene = ([back, sun, ground], dice, loop) => {
  const size = 11 + dice(8);
  const rise = 46 + dice(8);
  const x = 25 + dice(50);
  const ridge = (y: number, opacity: string): string =>
    `<path d='M-130 ${y}q45-24 90 0t90 0 90 0 90 0V200h-360z' fill='${ground}'${opacity}/>`;
  const orbit = move("translate", `${-x - 20} 20;0 -8;${120 - x} 20`, loop);
  return `${sky(back)}<circle cx='${x}' cy='${rise - dice(14)}' r='${size}' fill='${sun}'>${orbit}</circle>${ridge(rise + 8, " opacity='.5'")}${ridge(rise + 22, "")}`;
};

const rings: Scene = ([back, one, two], dice, loop) => {
  const x = 30 + dice(40);
  const y = 30 + dice(40);
  const gap = 9 + dice(5);
  const dashes = ["", " stroke-dasharray='9 5'", " stroke-dasharray='2 4'"][dice(3)] ?? "";
  const circles = [1, 2, 3, 4]
    .map((ring) => `<circle cx='${x}' cy='${y}' r='${ring * gap}'/>`)
    .join("");
  const turn = move("rotate", `0 50 50;360 50 50`, loop);
  return `${sky(back)}<g fill='none' stroke='${one}' stroke-width='${3 + dice(3)}'${dashes}>${circles}${turn}</g><circle cx='${x}' cy='${y}' r='7' fill='${two}'/>`;
};

const blocks: Scene = ([back, one, two], dice, loop) => {
  const paths = ["", ""];
  for (let cell = 0; cell < 16; cell += 1) {
    const [x, y] = [(cell % 4) * 25, Math.floor(cell / 4) * 25];
    const shape = [
      `M${x} ${y}h25a25 25 0 0 1-25 25z`,
      `M${x + 25} ${y + 25}h-25a25 25 0 0 1 25-25z`,
      `M${x} ${y}h25v25z`,
      "",
      "",
    ][dice(5)];
    const side = dice(2);
    paths[side] = `${paths[side]}${shape}`;
  }
  const slide = move("translate", "0 0;0 -25;25 -25;25 0;0 0", loop);
  return `${sky(back)}<g>${slide}<path d='${paths[0]}' fill='${one}'/><path d='${paths[1]}' fill='${two}'/></g>`;
};

const stripes: Scene = ([back, one, two], dice, loop) => {
  const gap = 20 + dice(12);
  const lines = (offset: number): string => {
    let path = "";
    for (let x = -140 + offset; x < 110; x += gap * 2) path += `M${x} 110l120-120`;
    return path;
  };
  const width = 4 + dice(gap - 8);
  const run = move("translate", `0 0;${gap * 2} 0`, loop);
  const disc = `<circle cx='${30 + dice(40)}' cy='${35 + dice(30)}' r='${15 + dice(9)}' fill='${two}'/>`;
  return `${sky(back)}<g fill='none' stroke='${one}'>${run}<path d='${lines(0)}' stroke-width='${width}'/><path d='${lines(gap)}' stroke-width='3'/></g>${disc}`;
};

const confetti: Scene = ([back, one, two], dice, loop) => {
  let [round, square] = ["", ""];
  for (let piece = 0; piece < 16; piece += 1) {
    const [x, y, size] = [dice(100), dice(100), 2 + dice(6)];
    if (piece % 2 === 0) round += `<circle cx='${x}' cy='${y}' r='${size}'/>`;
    else square += `M${x} ${y}l${size} 3-3 ${size}-${size}-3z`;
  }
  const fall = move("translate", "0 -60;0 60;0 -60", loop);
  return `${sky(back)}<g fill='${one}'>${round}${fall}</g><path d='${square}' fill='${two}'>${move("translate", "0 50;0 -50;0 50", loop)}</path>`;
};

const product: Scene = ([back, one, two], dice, loop) => {
  const [width, height, round] = [22 + dice(14), 36 + dice(14), 3 + dice(9)];
  const [left, top] = [50 - width / 2, 80 - height];
  const cap = (width * (2 + dice(3))) / 5;
  const float = move("translate", "0 0;0 -6;0 0", loop);
  return `${sky(back)}<circle cx='50' cy='50' r='${34 + dice(10)}' fill='#fff' opacity='.3'/><ellipse cx='50' cy='82' rx='${width * 0.8}' ry='4' opacity='.25'/><g fill='${one}'><path d='M${50 - cap / 2} ${top - 7}h${cap}v8h${-cap}z' fill='${two}'/><rect x='${left}' y='${top}' width='${width}' height='${height}' rx='${round}'/><path d='M${left} ${top + height / 3}h${width}v${height / 3}h${-width}z' fill='${two}'/>${float}</g>`;
};

const waves: Scene = ([back, one, two], dice, loop) => {
  const swell = 5 + dice(9);
  const wave = (y: number, color: string, more: string): string =>
    `<path d='M-100 ${y}q25-${swell} 50 0t50 0 50 0 50 0 50 0 50 0V200H-100z' fill='${color}'${more}>${move("translate", y % 2 === 0 ? "0;100" : "0;-100", loop)}</path>`;
  const start = 30 + dice(12) * 2;
  return `${sky(back)}<circle cx='${20 + dice(60)}' cy='${14 + dice(12)}' r='${6 + dice(7)}' fill='${two}'/>${wave(start, one, " opacity='.5'")}${wave(start + 13, two, " opacity='.7'")}${wave(start + 28, one, "")}`;
};

const scenes: readonly Scene[] = [hills, product, rings, blocks, waves, stripes, confetti];

/** Something to look at; a number that differs by one gives another motif. `whole`: not to be cropped. */
export const drawScene = (
  turn: number,
  colors: Palette["scene"],
  dice: Dice,
  loop: string | undefined,
): { readonly svg: string; readonly whole: boolean } => {
  const scene = scenes[turn % scenes.length] ?? hills;
  return { svg: scene(colors, dice, loop), whole: scene === product };
};
