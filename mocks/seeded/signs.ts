import type { Palette } from "./colors.ts";
import { emsOf, shorten } from "./lines.ts";
import { attributesOf, type Box, escapeText, inset, isRightToLeft, tenth } from "./svg.ts";

/** Draws the sign of an action: a copy shows two frames, an edit shows a selection. */
export const drawMark = (action: string, scene: Box): string => {
  const box = inset(scene, 5);
  const right = tenth(box.x + box.width);
  const bottom = tenth(box.y + box.height);
  if (action === "copy-ad") {
    const frame = (by: number) =>
      `<path d='M${box.x + by} ${tenth(box.y) + by}H${right - 6 + by}V${bottom - 6 + by}H${box.x + by}z'/>`;
    return `<g fill='none' stroke='#fff' stroke-width='1.2'>${frame(6)}${frame(0)}</g>`;
  }
  if (action !== "edit-ad") return "";
  const handles = [tenth(box.x), right].map(
    (x) => `M${x - 1.5} ${tenth(box.y) - 1.5}h3v3h-3zM${x - 1.5} ${bottom - 1.5}h3v3h-3z`,
  );
  return `<rect ${attributesOf(box)} fill='none' stroke='#fff' stroke-dasharray='3 2'/><path d='${handles.join("")}' fill='#fff' stroke='#111' stroke-width='.6'/>`;
};

/** Distance of the brand from the corner of the scene: within the sign of the action. */
const distances: Readonly<Record<string, number>> = { "copy-ad": 14, "edit-ad": 9 };

/**
 * Draws the brand's name and first colour on a chip in the corner of the scene.
 *
 * @param spread - Width of letters, as a multiple of the usual one
 */
export const drawBrand = (
  name: string,
  action: string,
  { x, y, width: room }: Box,
  { base, ink, scene }: Palette,
  spread: number,
): string => {
  if (name === "") return "";
  const distance = distances[action] ?? 6;
  const text = shorten(name, Math.min(16, (room - 2 * distance - 12) / (4 * spread)));
  const width = tenth(emsOf(text) * 4 * spread + 12);
  const start = isRightToLeft(text) ? `x='${tenth(width - 4)}' direction='rtl'` : "x='8'";
  return `<g transform='translate(${tenth(x + distance)} ${tenth(y + distance)})' font-size='4'><rect width='${width}' height='8' rx='4' fill='${base}'/><circle cx='4' cy='4' r='2.2' fill='${scene[0]}' stroke='${ink}' stroke-width='.4'/><text ${start} y='5.4' fill='${ink}'>${escapeText(text)}</text></g>`;
};

/** Height of the bar below a video. */
export const barHeight = 2;

/** Draws the ground of the bar below a video. */
export const drawBar = ({ width, height }: Box): string =>
  `<path d='M0 ${height - barHeight}h${width}v${barHeight}H0z' opacity='.6'/>`;

/** Draws the signs of a video: a play button, its length, and a bar that runs along. */
export const drawPlayer = (picture: Box, scene: Box, seconds: number, loop: string): string => {
  const { width, height } = picture;
  const whole = Math.round(seconds);
  const time = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  const middle = `${tenth(scene.x + scene.width / 2)} ${tenth(scene.y + scene.height / 2)}`;
  return `<g transform='translate(${middle})'><circle r='9' opacity='.6'/><path d='M-3-5l9 5-9 5z' fill='#fff'/><rect x='-7' y='12' width='14' height='7' rx='2' opacity='.7'/><text y='17' font-size='4' text-anchor='middle' fill='#fff'>${time}</text></g>${drawBar(picture)}<rect y='${height - barHeight}' width='${width}' height='${barHeight}' fill='#fff'><animate attributeName='width' from='0' to='${width}' ${loop}/></rect>`;
};
