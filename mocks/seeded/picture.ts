import { creditOfAction } from "../../src/contract/actions.ts";
import { paletteOf } from "./colors.ts";
import { type Drawing, ellipse, type Line, type PixelSize, rectangle } from "./drawing.ts";
import { hash, randomOf } from "./ids.ts";
import { fitLines, lineHeight, plainText } from "./lines.ts";
import type { MadeFrom } from "./made-from.ts";

const secondsOf = ({ action, duration = 0 }: MadeFrom): readonly string[] =>
  creditOfAction[action] === "video" ? [`${Math.round(duration * 100) / 100} s`] : [];

/** Draws one of a job's pictures, or the poster of a video: a sun above hills, and the prompt below. */
export const drawPicture = (job: MadeFrom, variation: number, size: PixelSize): Drawing => {
  const { id, action, prompt, variations, brand } = job;
  const unit = Math.min(size.width, size.height) / 100;
  const [width, height] = [size.width / unit, size.height / unit];
  const name = plainText(brand?.name ?? "", 60);
  const words = plainText(prompt, 240) || name || "Something new";
  const turn = (hash(`${id}/${action}/${words}`) >>> 8) + variation;
  const { base, ink, scene } = paletteOf(brand?.colors ?? [], turn);
  const [sky, sun, ground] = scene;
  const draw = (what: string, from: number, to: number): number =>
    from + Math.floor(randomOf(`${turn}/${what}`) * (to - from));

  const middle = height / 2;
  const whole = { x: 0, y: 0, width, height };
  const panel = { x: 4, y: middle + 4, width: width - 8, height: middle - 8 };
  const room = { x: 10, width: width - 20, height: panel.height - 14 };
  // Some systems have wider fonts than those that we ask for.
  const { lines, size: letters } = fitLines(plainText(words, 80), room.width * 0.94, room.height);
  const top = panel.y + 4 + Math.max(0, (room.height - lines.length * letters * lineHeight) / 2);
  const line = { x: room.x, width: room.width, size: letters, color: ink };
  const length = secondsOf(job);
  const footer = [
    ...(name === "" ? [] : [name]),
    action,
    `#${variation}${variations > 1 ? `/${variations}` : ""}`,
    `${size.width}×${size.height}`,
    ...length,
  ];
  return {
    ...size,
    title: `${action} #${variation}: ${words}`,
    things: [
      rectangle(whole, sky),
      ellipse(width / 2 + draw("x", -25, 26), middle / 2 + draw("y", -8, 9), 14, 14, sun),
      ellipse(draw("left", 0, 40), middle + 6, width / 2, draw("hill", 14, 30), ground),
      ellipse(width - draw("right", 0, 40), middle + 6, width / 2, draw("top", 14, 30), ground),
      rectangle({ ...whole, y: middle + 6 }, ground),
      // The sign of a video.
      ...length.flatMap((text) => [
        ellipse(width / 2, middle / 2, 9, 9, "#000000"),
        {
          x: width / 2 - 8,
          y: middle / 2 + 1.6,
          width: 16,
          text,
          size: 4.5,
          color: "#ffffff",
        } as const,
      ]),
      rectangle(panel, base, 3),
      ...lines.map((text, row): Line => {
        return { ...line, text, y: top + letters * (0.8 + row * lineHeight) };
      }),
      { ...line, text: footer.join(" · "), y: height - 8, size: 3 },
    ],
  };
};
