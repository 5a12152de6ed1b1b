import type { BrandLook } from "./brand-look.ts";
import { type Palette, paletteOf } from "./colors.ts";
import { hash, randomOf } from "./ids.ts";
import { emsOf, fitLines, lineHeight } from "./lines.ts";
import { drawScene } from "./scene.ts";
import { drawBar, drawBrand, drawMark, drawPlayer } from "./signs.ts";
import {
  attributesOf,
  type Box,
  escapeText,
  inset,
  isRightToLeft,
  plainText,
  tenth,
} from "./svg.ts";

/** Facts that a picture is drawn from. */
export interface Picture {
  readonly action: string;
  /** Headline; the picture shows as much of it as there is room for. */
  readonly prompt: string;
  /** Number of the picture among a job's variations, from 1. */
  readonly variation: number;
  readonly variations?: number;
  /** Width and height in pixels. */
  readonly width: number;
  readonly height: number;
  /** Seconds; a picture that moves stands in for a video. */
  readonly duration?: number;
  /** Look of the brand that the ad is for. Texts that are no CSS colour are ignored. */
  readonly brand?: BrandLook;
  /** Pictures of the same words with another seed look different. */
  readonly seed?: string;
  /** Format that the picture ends as. A bitmap has fewer, larger letters. @default "svg" */
  readonly format?: "svg" | "png" | "mp4";
}

interface Layout {
  readonly scene: Box;
  /** Ground of the text. */
  readonly panel: Box;
  /** Radius of the panel's corners. */
  readonly round: number;
}

/** Divides a picture: scene first, text first, or a card on the scene; mere pictures get a caption. */
const layOut = ({ width, height }: Box, turn: number, isCaption: boolean): Layout => {
  if (isCaption) {
    const panel = inset({ x: 0, y: height - 46, width, height: 46 }, 5);
    return { scene: { x: 0, y: 0, width, height: height - 41 }, panel, round: 3 };
  }
  const isWide = width > height * 1.3;
  const cut = (from: number, to: number): Box =>
    isWide
      ? { x: from * width, y: 0, width: (to - from) * width, height }
      : { x: 0, y: from * height, width, height: (to - from) * height };
  const share = isWide ? 0.5 : 0.46;
  if (turn % 3 === 0) return { scene: cut(1 - share, 1), panel: cut(0, 1 - share), round: 0 };
  if (turn % 3 === 1) return { scene: cut(0, share), panel: cut(share, 1), round: 0 };
  return { scene: cut(0, share), panel: inset(cut(share, 1), 4), round: 3 };
};

const fontSizes = [13, 11, 9.5, 8, 7, 6, 5];

/** Share of a line that words may fill: some systems have wider fonts than those that we ask for. */
const lineShare = 0.94;

/** Size of the letters in a bitmap, whose font is a wide one. */
interface Lettering {
  readonly fontSizes: readonly number[];
  /** Width of letters, as a multiple of the usual one. */
  readonly spread: number;
}

const fine: Lettering = { fontSizes, spread: 1 };
const coarse: Lettering = { fontSizes: fontSizes.filter((size) => size >= 7), spread: 1.25 };

const calls = ["Shop now", "Learn more", "Get offer", "See more"];

/** Draws headline and button in the middle of the panel, and the footer below. */
const drawText = (
  panel: Box,
  headline: string,
  footer: string,
  call: string | undefined,
  { base, ink, scene }: Palette,
  { fontSizes, spread }: Lettering,
): string => {
  const { x, y, width, height } = inset(panel, 6);
  const isTurned = isRightToLeft(headline);
  const buttonRoom = call !== undefined && headline.length < 70 ? 11 : 0;
  const room = height - buttonRoom - 5;
  const { lines, fontSize } = fitLines(headline, width * lineShare, room, fontSizes);
  const textHeight = lines.length * fontSize * lineHeight;
  const top = y + Math.max(0, (room - textHeight) / 2);
  const start = tenth(isTurned ? x + width : x);
  const rows = lines.map(
    (line, row) =>
      `<text x='${start}' y='${tenth(top + fontSize * (0.8 + row * lineHeight))}'>${escapeText(line)}</text>`,
  );
  // A button in English under a headline in another script would look like a mistake.
  const label = /\p{Script=Latin}/u.test(headline) ? (call ?? "") : isTurned ? "←" : "→";
  const buttonWidth = tenth(emsOf(label) * 4 * spread + 9);
  const left = tenth(isTurned ? start - buttonWidth : start);
  const button = `<g transform='translate(${left} ${tenth(top + textHeight + 2)})' font-size='4'><rect width='${buttonWidth}' height='8' rx='4'/><text x='${buttonWidth / 2}' y='5.4' text-anchor='middle' fill='${base}'>${label}</text></g>`;
  return [
    `<g fill='${ink}' font-size='${fontSize}'><g${isTurned ? " direction='rtl'" : ""}>${rows.join("")}</g>`,
    buttonRoom > 0 ? button : "",
    `<text x='${tenth(x)}' y='${tenth(y + height)}' font-size='3' font-weight='400'>${escapeText(footer)}</text></g>`,
    `<path d='M${isTurned ? start - 8 : start} ${tenth(panel.y)}h8v1.6h-8z' fill='${scene[1]}'/>`,
  ].join("");
};

/**
 * Draws a picture as SVG text of one or two thousand characters. The text is a function of its
 * argument; nothing in it runs or loads. It holds no `<foreignObject>`, because that taints a
 * canvas. Attributes stand in single quotes, which JSON and data URLs need not escape.
 */
export const drawPicture = (picture: Picture): string => {
  const { variation, variations = 1, duration, brand, seed = "", format = "svg" } = picture;
  const shorter = Math.min(picture.width, picture.height);
  const width = Math.round((picture.width / shorter) * 100);
  const height = Math.round((picture.height / shorter) * 100);
  const whole = { x: 0, y: 0, width, height };
  const action = plainText(picture.action, 60);
  const name = plainText(brand?.name ?? "", 60);
  const headline = plainText(picture.prompt, 240) || name || "Something new";
  const isMerePicture = action.startsWith("image-");

  const start = hash(`${seed}/${action}/${headline}`) >>> 8;
  const turn = start + variation;
  let throws = 0;
  const dice = (sides: number) => {
    throws += 1;
    return Math.floor(randomOf(`${turn}/${throws}`) * sides);
  };
  const palette = paletteOf(brand?.colors ?? [], turn);
  // Out of step with the palette, or the same colours would always come with the same layout.
  const { scene, panel, round } = layOut(whole, turn + (start >>> 5), isMerePicture);

  const seconds = duration === undefined ? undefined : Math.round(duration * 100) / 100;
  // Shorter loops would flicker.
  const loop =
    seconds === undefined ? "" : `dur='${Math.max(seconds, 0.5)}s' repeatCount='indefinite'`;
  const motif = drawScene(turn + (start >>> 9), palette.scene, dice, loop);
  const lettering = format !== "svg" && shorter < 1000 ? coarse : fine;
  const footer = [
    action,
    `#${variation}${variations > 1 ? `/${variations}` : ""}`,
    ...(lettering === fine ? [`${picture.width}×${picture.height}`] : []),
    ...(lettering === coarse || seconds === undefined ? [] : [`${seconds} s`]),
  ].join(" · ");

  const drawVideo = (): string => {
    if (seconds === undefined) return "";
    return format === "mp4" ? drawBar(whole) : drawPlayer(whole, scene, seconds, loop);
  };

  return [
    `<svg xmlns='http://www.w3.org/2000/svg' role='img' width='${picture.width}' height='${picture.height}' viewBox='0 0 ${width} ${height}' font-family='Helvetica,Arial,Liberation Sans,Noto Sans,sans-serif' font-weight='700'>`,
    `<title>${escapeText(`${action} #${variation}: ${headline}`)}</title>`,
    `<svg ${attributesOf(scene)} viewBox='${motif.viewBox}' overflow='visible'>${motif.svg}</svg>`,
    `<rect ${attributesOf(panel)} rx='${round}' fill='${palette.base}'/>`,
    drawMark(action, scene),
    drawText(
      panel,
      headline,
      footer,
      isMerePicture ? undefined : calls[turn % 4],
      palette,
      lettering,
    ),
    drawBrand(name, action, scene, palette, lettering.spread),
    drawVideo(),
    "</svg>",
  ].join("");
};

/** Makes a picture an address of its own, for an answer that must stand alone. */
export const dataUrlOf = (svg: string): string => {
  const encoded = encodeURIComponent(svg)
    // URLs may hold these characters; escapes would make the URL a fifth longer.
    .replaceAll("%3D", "=")
    .replaceAll("%2F", "/")
    .replaceAll("%2C", ",");
  return `data:image/svg+xml,${encoded}`;
};
