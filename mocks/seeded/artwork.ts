import { paletteOf } from "./artwork-color.ts";
import { layoutsOf } from "./artwork-layout.ts";
import { drawChip, drawMark, drawPlayer, drawText } from "./artwork-parts.ts";
import { createDice, drawScene } from "./artwork-scene.ts";
import { escapeText, plainText } from "./artwork-text.ts";
import { hash } from "./ids.ts";

export interface Picture {
  readonly action: string;
  /** Its headline; as much of it as there is room for. */
  readonly prompt: string;
  /** Which of a job's variations, from 1. */
  readonly variation: number;
  /** How many there are. */
  readonly variations?: number;
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
  /** Seconds; a picture that moves stands in for a video. */
  readonly duration?: number;
  /** Whose ad it is. Colours are CSS colours; what is none is ignored. */
  readonly brand?: { readonly name: string; readonly colors: readonly string[] };
  /** Pictures of the same words with another seed look different. */
  readonly seed?: string;
}

const calls = ["Shop now", "Learn more", "Get offer", "See more", "Try it"];

/** Fewer than these would be a flicker. */
const minSeconds = 0.5;

/**
 * A picture as SVG text: a function of its argument, of one or two thousand characters, with
 * nothing in it that runs or is loaded. Attributes stand in single quotes, so that JSON and
 * data URLs make it no longer than it is.
 */
export const drawPicture = (picture: Picture): string => {
  const { action, variation, variations = 1, duration, brand, seed = "" } = picture;
  const shorter = Math.min(picture.width, picture.height);
  const width = Math.round((picture.width / shorter) * 100);
  const height = Math.round((picture.height / shorter) * 100);
  const name = plainText(brand?.name ?? "", 60);
  const headline = plainText(picture.prompt, 240) || name || "Something new";
  const isImage = action.startsWith("image-");

  const start = hash(`${seed}/${action}/${headline}`) >>> 8;
  const turn = start + variation;
  const palette = paletteOf(brand?.colors ?? [], turn);
  const layouts = layoutsOf(width, height, isImage);
  // Not in step with palette and motif, or the same three would always come together.
  const layout = layouts[(turn + (start >>> 5)) % layouts.length];
  if (layout === undefined) return "";

  const shown = duration === undefined ? undefined : Math.round(duration * 100) / 100;
  const loop =
    shown === undefined
      ? undefined
      : `dur='${Math.max(shown, minSeconds)}s' repeatCount='indefinite'`;
  const { scene, card } = layout;
  const place = `x='${scene.x}' y='${scene.y}' width='${scene.width}' height='${scene.height}'`;
  const motif = drawScene(turn + (start >>> 9), palette.scene, createDice(turn), loop);
  // Beside the text a bottle is shown whole; behind a card, as large as it gets.
  const whole = motif.whole && !card;
  const facts = [
    action,
    `#${variation}${variations > 1 ? `/${variations}` : ""}`,
    `${picture.width}×${picture.height}`,
    ...(shown === undefined ? [] : [`${shown} s`]),
  ].join(" · ");
  const call = isImage ? undefined : calls[turn % calls.length];

  return [
    `<svg xmlns='http://www.w3.org/2000/svg' role='img' width='${picture.width}' height='${picture.height}' viewBox='0 0 ${width} ${height}' font-family='Helvetica,Arial,sans-serif' font-weight='700'>`,
    `<title>${escapeText(`${action} #${variation}: ${headline}`)}</title>`,
    `<path d='M0 0h${width}v${height}H0z' fill='${palette.base}'/>`,
    `<svg ${place} viewBox='${whole ? "20 22 60 66" : "0 0 100 100"}' preserveAspectRatio='xMidYMid ${whole ? "meet" : "slice"}'${card ? " overflow='visible'" : ""}>${motif.svg}</svg>`,
    drawMark(action, layout, palette.ink),
    drawText(layout, headline, facts, call, palette),
    name === "" ? "" : drawChip(name, palette),
    shown === undefined || loop === undefined
      ? ""
      : drawPlayer(width, height, card ? width * 0.79 : scene.x + scene.width / 2, shown, loop),
    "</svg>",
  ].join("");
};

/** The picture as an address of its own, for an answer that must stand alone. */
export const dataUrlOf = (svg: string): string => {
  const encoded = encodeURIComponent(svg)
    // Allowed in a URL as they are; escaped they would make it a fifth longer.
    .replaceAll("%3D", "=")
    .replaceAll("%2F", "/")
    .replaceAll("%2C", ",");
  return `data:image/svg+xml,${encoded}`;
};
