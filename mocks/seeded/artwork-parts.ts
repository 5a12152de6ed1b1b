import type { Palette } from "./artwork-color.ts";
import { type Box, box, type Layout } from "./artwork-layout.ts";
import { emsOf, escapeText, fitLine, fitText, isRightToLeft, lineHeight } from "./artwork-text.ts";

const tenth = (length: number): number => Math.round(length * 10) / 10;

/** "0:08" as a player shows it. */
const playTime = (seconds: number): string => {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
};

const rectangle = ({ x, y, width, height }: Box, more: string): string =>
  `<rect x='${x}' y='${y}' width='${width}' height='${height}' ${more}/>`;

const drawButton = (label: string, x: number, y: number, turned: boolean, base: string): string => {
  const width = tenth(emsOf(label) * 4 + 9);
  const left = tenth(turned ? x - width : x);
  return `<rect x='${left}' y='${y}' width='${width}' height='8' rx='4'/><text x='${tenth(left + width / 2)}' y='${tenth(y + 5.4)}' font-size='4' text-anchor='middle' fill='${base}'>${label}</text>`;
};

/** Headline, button and footer; longer headlines and mere pictures go without the button. */
export const drawText = (
  { text, card }: Layout,
  headline: string,
  footer: string,
  call: string | undefined,
  { base, ink }: Palette,
): string => {
  const turned = isRightToLeft(headline);
  const start = turned ? text.x + text.width : text.x;
  const hasButton = call !== undefined && headline.length < 70;
  const room = text.height - (hasButton ? 17 : 6);
  const { lines, fontSize } = fitText(headline, text.width, room, [13, 11, 9.5, 8, 7, 6, 5]);
  const rows = lines.map((line, row) => {
    const y = tenth(text.y + fontSize * (0.8 + row * lineHeight));
    return `<text x='${start}' y='${y}'>${escapeText(line)}</text>`;
  });
  const end = tenth(text.y + fontSize * (lines.length * lineHeight - 0.1) + 3);
  // A button in English under a headline in another script would look like a mistake.
  const label = /\p{Script=Latin}/u.test(headline) ? call : turned ? "←" : "→";
  const around = box(text.x - 6, text.y - 6, text.width + 12, text.height + 11);
  return [
    card ? rectangle(around, `rx='4' fill='${base}'`) : "",
    `<g fill='${ink}' font-size='${fontSize}'><g${turned ? " direction='rtl'" : ""}>${rows.join("")}</g>`,
    hasButton ? drawButton(label ?? "", start, end, turned, base) : "",
    `<text x='${text.x}' y='${text.y + text.height}' font-size='3' font-weight='400'>${escapeText(footer)}</text></g>`,
  ].join("");
};

/** What tells the actions apart: a copy shows two frames, an edit what was selected. */
export const drawMark = (action: string, { scene, text, card }: Layout, ink: string): string => {
  const frame = card
    ? box(text.x - 9, text.y - 9, text.width + 18, text.height + 17)
    : box(scene.x + 5, scene.y + 5, scene.width - 10, scene.height - 10);
  const { x, y, width, height } = frame;
  if (action === "copy-ad") {
    const outline = (by: number): string =>
      `M${x + by} ${y + by}h${width - 6}v${height - 6}h${6 - width}z`;
    return `<path d='${outline(0)}${outline(6)}' fill='none' stroke='${ink}' opacity='.6'/>`;
  }
  if (action !== "edit-ad") return "";
  const handle = (across: number, down: number): string =>
    `M${x + across * width - 1.5} ${y + down * height - 1.5}h3v3h-3z`;
  return `<g stroke='${ink}'>${rectangle(frame, "fill='none' stroke-dasharray='3 2'")}<path d='${handle(0, 0)}${handle(1, 0)}${handle(0, 1)}${handle(1, 1)}' fill='#fff'/></g>`;
};

export const drawChip = (name: string, { base, ink, scene }: Palette): string => {
  const text = fitLine(name, 11);
  const width = tenth(emsOf(text) * 4 + 12);
  return `<g font-size='4'>${rectangle(box(6, 6, width, 8), `rx='4' fill='${base}'`)}<circle cx='10' cy='10' r='2.2' fill='${scene[0]}'/><text x='14' y='11.4' fill='${ink}'>${escapeText(text)}</text></g>`;
};

export const drawPlayer = (
  width: number,
  height: number,
  middle: number,
  seconds: number,
  loop: string,
): string =>
  `<circle cx='${middle}' cy='${height / 2}' r='9' opacity='.6'/><path d='M${middle - 3} ${height / 2 - 5}l9 5-9 5z' fill='#fff'/><path d='M${width - 18} ${height - 12}h14v7h-14z' opacity='.7'/><text x='${width - 11}' y='${height - 7}' font-size='4' text-anchor='middle' fill='#fff'>${playTime(seconds)}</text><path d='M0 ${height - 2}h${width}v2H0z' opacity='.6'/><rect y='${height - 2}' width='${width}' height='2' fill='#fff'><animate attributeName='width' from='0' to='${width}' ${loop}/></rect>`;
