import { creditOfAction } from "../../src/contract/actions.ts";
import { type Color, mix, type Palette, paletteOf } from "./colors.ts";
import { type Box, type Drawing, ellipse, inset, type Line, rectangle } from "./drawing.ts";
import { hash, randomOf } from "./ids.ts";
import { emsOf, fitLines, isRightToLeft, lineHeight, plainText } from "./lines.ts";
import type { MadeFrom } from "./made-from.ts";
import { drawScene } from "./scene.ts";
import type { PixelSize } from "./shape.ts";

type Things = Drawing["things"];

interface Layout {
  readonly scene: Box;
  /** Ground of the text. */
  readonly panel: Box;
  /** Radius of the panel's corners. */
  readonly round: number;
}

/** Divides a picture: scene first, text first, or a card on the scene; mere pictures get a caption. */
const layOut = ({ width, height }: Box, turn: number, isCaption: boolean): Layout => {
  const isWide = width > height * 1.3 && !isCaption;
  const isTextFirst = turn % 3 === 0 && !isCaption;
  const isCard = turn % 3 === 2 || isCaption;
  const cut = (from: number, to: number): Box =>
    isWide
      ? { x: from * width, y: 0, width: (to - from) * width, height }
      : { x: 0, y: from * height, width, height: (to - from) * height };
  const share = isCaption ? 44 / height : isWide ? 0.5 : 0.54;
  const scene = isTextFirst ? cut(share, 1) : cut(0, 1 - share);
  const panel = isTextFirst ? cut(0, share) : cut(1 - share, 1);
  return { scene, panel: isCard ? inset(panel, 4) : panel, round: isCard ? 3 : 0 };
};

const calls = ["Shop now", "Learn more", "Get offer", "See more"];

/** Share of a line that words may fill: some systems have wider fonts than those that we ask for. */
const lineShare = 0.94;

/** Draws the panel with headline and button in its middle, and the footer below. */
const drawText = (
  { panel, round }: Layout,
  headline: string,
  footer: string,
  call: string | undefined,
  { base, ink, scene }: Palette,
): Things => {
  const { x, y, width, height } = inset(panel, 6);
  const isTurned = isRightToLeft(headline);
  const atStart = (own: number): number => (isTurned ? x + width - own : x);
  const hasButton = call !== undefined && headline.length < 70;
  const room = height - (hasButton ? 11 : 0) - 5;
  const { lines, fontSize: size } = fitLines(headline, width * lineShare, room);
  const textHeight = lines.length * size * lineHeight;
  const top = y + Math.max(0, (room - textHeight) / 2);
  // A button in English under a headline in another script would look like a mistake.
  const text = /\p{Script=Latin}/u.test(headline) ? (call ?? "") : isTurned ? "←" : "→";
  const own = emsOf(text) * 4 + 9;
  const button = { x: atStart(own), y: top + textHeight + 2, width: own, height: 8 };
  const label: Line = {
    ...button,
    y: button.y + 5.4,
    text,
    size: 4,
    color: base,
    isCentered: true,
  };
  return [
    rectangle(panel, base, round),
    rectangle({ x: atStart(8), y: panel.y, width: 8, height: 1.6 }, scene[1]),
    ...lines.map((text, row): Line => {
      return { text, x, y: top + size * (0.8 + row * lineHeight), width, size, color: ink };
    }),
    ...(hasButton ? [rectangle(button, ink, 4), label] : []),
    { text: footer, x, y: y + height, width, size: 3, color: ink },
  ];
};

/** Draws the brand's name and first colour on a chip in the corner of the scene. */
const drawBrand = (text: string, scene: Box, palette: Palette): Things => {
  const [x, y] = [scene.x + 6, scene.y + 6];
  const width = Math.min(emsOf(text) * 4, 64, scene.width - 24);
  return [
    rectangle({ x, y, width: width + 12, height: 8 }, palette.base, 4),
    ellipse(x + 4, y + 4, 2.4, 2.4, palette.ink),
    ellipse(x + 4, y + 4, 2, 2, palette.scene[0]),
    { text, x: x + 8, y: y + 5.4, width, size: 4, color: palette.ink },
  ];
};

/** Draws the signs of a video: a play button, its length, and a bar that runs along. */
const drawPlayer = ({ width, height }: Box, scene: Box, seconds: number, sky: Color): Things => {
  const whole = Math.round(seconds);
  const text = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  const [x, y] = [scene.x + scene.width / 2, scene.y + scene.height / 2];
  const [dark, white] = [mix("#000000", sky, 0.65), "#ffffff"] as const;
  const bar = { x: 0, y: height - 2, width, height: 2 };
  const pill = { x: x - 7, y: y + 12, width: 14, height: 7 };
  return [
    ellipse(x, y, 9, 9, dark),
    { ...rectangle({ x: x - 3, y: y - 5, width: 9, height: 10 }, white), pointed: true },
    rectangle(pill, dark, 2),
    { ...pill, text, y: y + 17, size: 4, color: white, isCentered: true },
    rectangle(bar, dark),
    {
      ...rectangle(bar, white),
      moves: [
        [-width, 0],
        [0, 0],
      ],
    },
  ];
};

/** Draws one of a job's pictures, or the poster of a video. It is a function of its arguments. */
export const drawPicture = (job: MadeFrom, variation: number, size: PixelSize): Drawing => {
  const { id, action, prompt, variations, duration = 0, brand } = job;
  const shorter = Math.min(size.width, size.height) / 100;
  const whole: Box = { x: 0, y: 0, width: size.width / shorter, height: size.height / shorter };
  const name = plainText(brand?.name ?? "", 60);
  const headline = plainText(prompt, 240) || name || "Something new";
  const isMerePicture = action.startsWith("image-");

  const start = hash(`${id}/${action}/${headline}`) >>> 8;
  const turn = start + variation;
  let throws = 0;
  const dice = (sides: number) => {
    throws += 1;
    return Math.floor(randomOf(`${turn}/${throws}`) * sides);
  };
  const palette = paletteOf(brand?.colors ?? [], turn);
  // Out of step with the palette, or the same colours would always come with the same layout.
  const layout = layOut(whole, turn + (start >>> 5), isMerePicture);
  const { scene } = layout;

  const isVideo = creditOfAction[action] === "video";
  const seconds = isVideo ? Math.round(duration * 100) / 100 : undefined;
  const footer = [
    action,
    `#${variation}${variations > 1 ? `/${variations}` : ""}`,
    `${size.width}×${size.height}`,
    ...(seconds === undefined ? [] : [`${seconds} s`]),
  ].join(" · ");
  return {
    ...size,
    title: `${action} #${variation}: ${headline}`,
    things: [
      ...drawScene(turn + (start >>> 9), whole, scene, palette.scene, dice),
      ...drawText(layout, headline, footer, isMerePicture ? undefined : calls[turn % 4], palette),
      ...(name === "" ? [] : drawBrand(name, scene, palette)),
      ...(seconds === undefined ? [] : drawPlayer(whole, scene, seconds, palette.scene[0])),
    ],
    ...(seconds !== undefined && { seconds }),
  };
};
