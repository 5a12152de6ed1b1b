import type { Outline } from "./raster.ts";

/** Straight pieces that a quarter of a circle, or a curve, consists of. */
const roundness = 10;

/** Gives the outline of an ellipse; or of its quarters, apart from each other by some lengths. */
export const ellipse = (
  x: number,
  y: number,
  rx: number,
  ry: number,
  apartX = 0,
  apartY = 0,
): Outline =>
  [0, 1, 2, 3].flatMap((quarter) => {
    const [left, top] = [quarter === 1 || quarter === 2 ? 0 : apartX, quarter > 1 ? 0 : apartY];
    return Array.from({ length: roundness + 1 }, (_, step) => {
      const turn = (Math.PI / 2) * (quarter + step / roundness);
      return [x + left + rx * Math.cos(turn), y + top + ry * Math.sin(turn)];
    }).flat();
  });

/** Gives the outline of a rectangle with round corners. */
export const rectangle = (
  x: number,
  y: number,
  width: number,
  height: number,
  round: number,
): Outline => {
  if (round === 0) return [x, y, x + width, y, x + width, y + height, x, y + height];
  const radius = Math.min(round, width / 2, height / 2);
  return ellipse(x + radius, y + radius, radius, radius, width - 2 * radius, height - 2 * radius);
};

const curveOf = (start: number, control: number, end: number): number[] =>
  Array.from({ length: roundness }, (_, index) => {
    const t = (index + 1) / roundness;
    return (1 - t) ** 2 * start + 2 * t * (1 - t) * control + t * t * end;
  });

/** Numbers that each command of a path takes. */
const argumentsOf: Readonly<Record<string, number>> = {
  M: 2,
  l: 2,
  h: 1,
  v: 1,
  H: 1,
  V: 1,
  q: 4,
  t: 2,
  z: 0,
};

/** Reads a path of the commands that pictures are drawn with: M, l, h, v, H, V, q, t and z. */
export const readPath = (path: string): Outline[] => {
  const outlines: number[][] = [];
  let [x, y] = [0, 0];
  let control = { x: 0, y: 0 };
  for (const [, command = "", rest = ""] of path.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const numbers = (rest.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
    const step = argumentsOf[command] ?? 0;
    for (let at = 0; at < numbers.length; at += step) {
      const [a = 0, b = 0, c = 0, d = 0] = numbers.slice(at, at + step);
      if (command === "M") outlines.push([]);
      const start = { x, y };
      if (command === "q" || command === "t") {
        const isMirrored = command === "t";
        control = isMirrored
          ? { x: 2 * x - control.x, y: 2 * y - control.y }
          : { x: x + a, y: y + b };
        [x, y] = isMirrored ? [x + a, y + b] : [x + c, y + d];
        const ys = curveOf(start.y, control.y, y);
        const points = curveOf(start.x, control.x, x).flatMap((value, index) => [
          value,
          ys[index] ?? 0,
        ]);
        outlines.at(-1)?.push(...points);
        continue;
      }
      if (command === "M") [x, y] = [a, b];
      if (command === "l") [x, y] = [x + a, y + b];
      if (command === "h") x += a;
      if (command === "v") y += a;
      if (command === "H") x = a;
      if (command === "V") y = a;
      outlines.at(-1)?.push(x, y);
    }
  }
  return outlines;
};

/** Gives the outlines of the lines along an outline, in one piece or dashed. */
export const strokeOf = (
  outline: Outline,
  thickness: number,
  [dash, gap]: readonly [dash: number, gap: number] = [Number.POSITIVE_INFINITY, 0],
): Outline[] => {
  const lines: Outline[] = [];
  for (let at = 0; at < outline.length; at += 2) {
    const [x1 = 0, y1 = 0] = [outline.at(at - 2), outline.at(at - 1)];
    const [x2 = 0, y2 = 0] = [outline[at], outline[at + 1]];
    const length = Math.hypot(x2 - x1, y2 - y1);
    if (length === 0) continue;
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [nx, ny] = [(-dy * thickness) / 2, (dx * thickness) / 2];
    for (let from = 0; from < length; from += dash + gap) {
      const to = Math.min(from + dash, length);
      const [ax, ay, bx, by] = [x1 + dx * from, y1 + dy * from, x1 + dx * to, y1 + dy * to];
      lines.push([ax + nx, ay + ny, bx + nx, by + ny, bx - nx, by - ny, ax - nx, ay - ny]);
    }
  }
  return lines;
};
