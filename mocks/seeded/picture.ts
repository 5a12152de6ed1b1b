import { creditOfAction } from "../../src/contract/actions.ts";
import { type Color, mix, type Palette, paletteOf } from "./colors.ts";
import { type Box, type Drawing, ellipse, inset, type Line, rectangle } from "./drawing.ts";
import { hash, randomOf } from "./ids.ts";
import { emsOf, fitLines, lineHeight, plainText } from "./lines.ts";
import type { MadeFrom } from "./made-from.ts";
import type { PixelSize } from "./shape.ts";

type Things = Drawing["things"];

/** Draws a whole number from 0 to below `sides`: another one each time, the same in each run. */
type Dice = (sides: number) => number;

/** Draws a sun above hills. The hills go on behind the text, from one edge to the other. */
const drawScene = (
  whole: Box,
  part: Box,
  [sky, sun, ground]: Palette["scene"],
  dice: Dice,
): Things => {
  const [x, y] = [part.x + part.width / 2, part.y + part.height / 2];
  const scale = Math.min(part.width / 100, part.height / 50);
  const radius = scale * (10 + dice(9));
  const left = scale * (dice(44) - 22);
  const hills = (top: number, color: Color): Things => [
    rectangle({ ...whole, y: top + 14 }, color),
    ...Array.from({ length: Math.ceil(whole.width / 110) + 1 }, (_, index) =>
      ellipse(110 * index - dice(30), top + 18 + dice(4), 70 + dice(12), 16 + dice(8), color),
    ),
  ];
  return [
    rectangle(whole, sky),
    ellipse(x + left, y + scale * (dice(14) - 16), radius, radius, sun),
    ...hills(y + 2, mix(ground, sky, 0.5)),
    ...hills(y + 14 + dice(5), ground),
  ];
};

const calls = ["Shop now", "Learn more", "Get offer", "See more"];

/** Share of a line that words may fill: some systems have wider fonts than those that we ask for. */
const lineShare = 0.94;

/** Draws the panel, with the headline and a button in its middle, and the footer below. */
const drawText = (
  panel: Box,
  headline: string,
  footer: string,
  call: string | undefined,
  { base, ink, scene }: Palette,
): Things => {
  const { x, y, width, height } = inset(panel, 6);
  const room = height - (call === undefined ? 5 : 16);
  const { lines, size } = fitLines(headline, width * lineShare, room);
  const textHeight = lines.length * size * lineHeight;
  const top = y + Math.max(0, (room - textHeight) / 2);
  const line = { x, width, size, color: ink };
  const button = { x, y: top + textHeight + 2, width: emsOf(call ?? "") * 4 + 9, height: 8 };
  return [
    rectangle(panel, base, 3),
    rectangle({ x, y: panel.y, width: 8, height: 1.6 }, scene[1]),
    ...lines.map((text, row): Line => {
      return { ...line, text, y: top + size * (0.8 + row * lineHeight) };
    }),
    ...(call === undefined ? [] : drawButton(button, call, ink, base)),
    { ...line, text: footer, y: y + height, size: 3 },
  ];
};

const drawButton = (box: Box, text: string, fill: Color, color: Color): Things => [
  rectangle(box, fill, 4),
  { ...box, text, y: box.y + 5.4, size: 4, color, isCentered: true },
];

/** Draws the brand's name on a chip in the corner of the scene. */
const drawBrand = (text: string, scene: Box, { base, ink }: Palette): Things => {
  const [x, y] = [scene.x + 6, scene.y + 6];
  const width = Math.min(emsOf(text) * 4, scene.width - 20, 64);
  const chip = rectangle({ x, y, width: width + 8, height: 8 }, base, 4);
  return [chip, { text, x: x + 4, y: y + 5.4, width, size: 4, color: ink }];
};

/** Draws the signs of a video: a play button, its length, and a bar. */
const drawPlayer = ({ width, height }: Box, scene: Box, seconds: number, sky: Color): Things => {
  const whole = Math.round(seconds);
  const text = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  const [x, y] = [scene.x + scene.width / 2, scene.y + scene.height / 2];
  const [dark, white] = [mix("#000000", sky, 0.65), "#ffffff"] as const;
  const bar = { x: 0, y: height - 2, width, height: 2 };
  return [
    ellipse(x, y, 9, 9, dark),
    { ...rectangle({ x: x - 3, y: y - 5, width: 9, height: 10 }, white), pointed: true },
    ...drawButton({ x: x - 7, y: y + 11, width: 14, height: 8 }, text, dark, white),
    rectangle(bar, dark),
    rectangle(bar, white),
  ];
};

/** Draws one of a job's pictures, or the poster of a video. It is a function of its arguments. */
export const drawPicture = (job: MadeFrom, variation: number, size: PixelSize): Drawing => {
  const { id, action, prompt, variations, duration = 0, brand } = job;
  const shorter = Math.min(size.width, size.height) / 100;
  const [width, height] = [size.width / shorter, size.height / shorter];
  const name = plainText(brand?.name ?? "", 60);
  const words = plainText(prompt, 240) || name || "Something new";
  const turn = (hash(`${id}/${action}/${words}`) >>> 8) + variation;
  let throws = 0;
  const dice = (sides: number) => {
    throws += 1;
    return Math.floor(randomOf(`${turn}/${throws}`) * sides);
  };
  const palette = paletteOf(brand?.colors ?? [], turn);
  // The text stands beside the scene of a wide picture, else below it; or the other way round.
  const whole: Box = { x: 0, y: 0, width, height };
  const halves = [0, 1].map(
    (half): Box =>
      width > 1.3 * height
        ? { x: (half * width) / 2, y: 0, width: width / 2, height }
        : { x: 0, y: (half * height) / 2, width, height: height / 2 },
  );
  const [scene = whole, panel = whole] = dice(3) === 0 ? halves.reverse() : halves;

  const isVideo = creditOfAction[action] === "video";
  const seconds = isVideo ? Math.round(duration * 100) / 100 : undefined;
  const footer = [
    action,
    `#${variation}${variations > 1 ? `/${variations}` : ""}`,
    `${size.width}×${size.height}`,
    ...(seconds === undefined ? [] : [`${seconds} s`]),
  ].join(" · ");
  // A button in English under a headline in another script would look like a mistake.
  const hasButton = !action.startsWith("image-") && /\p{Script=Latin}/u.test(words);
  const call = hasButton ? calls[turn % calls.length] : undefined;
  return {
    ...size,
    title: `${action} #${variation}: ${words}`,
    things: [
      ...drawScene(whole, scene, palette.scene, dice),
      ...drawText(inset(panel, 4), plainText(words, 80), footer, call, palette),
      ...(name === "" ? [] : drawBrand(name, scene, palette)),
      ...(seconds === undefined ? [] : drawPlayer(whole, scene, seconds, palette.scene[0])),
    ],
  };
};
