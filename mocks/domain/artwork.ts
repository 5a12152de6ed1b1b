import { hash } from "./ids.ts";

export interface Picture {
  readonly action: string;
  readonly prompt: string;
  /** Which of a job's variations, from 1. */
  readonly variation: number;
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
  /** Seconds; a picture that moves stands in for a video. */
  readonly duration?: number;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Text that is safe in XML: no markup, and none of the characters XML cannot hold. */
const escapeText = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, " ")
    .replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** A small SVG as a data URL: the mock's pictures need no server and no network. */
export const drawPicture = (picture: Picture): string => {
  const { action, prompt, variation, width, height, duration } = picture;
  const hue = hash(`${action}/${prompt}/${variation}`) % 360;
  const size = Math.round(height / 16);
  const line = (row: number, text: string): string =>
    `<text x="50%" y="${row}%" font-size="${size}">${escapeText(text)}</text>`;
  const progress =
    duration === undefined
      ? ""
      : `<rect y="97%" width="100%" height="3%"><animate attributeName="width" from="0%" to="100%" dur="${duration}s" repeatCount="indefinite"/></rect>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" text-anchor="middle" fill="#fff"><rect width="100%" height="100%" fill="hsl(${hue} 55% 35%)"/>${line(40, action)}${line(55, prompt)}${line(70, `#${variation} · ${width}×${height}`)}${progress}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
};
