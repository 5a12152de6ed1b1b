export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where things stand; lengths are hundredths of the picture's shorter side. */
export interface Layout {
  readonly scene: Box;
  /** Headline, button and footer. */
  readonly text: Box;
  /** The text stands on a card, since the scene is behind it. */
  readonly card?: true;
}

export const box = (x: number, y: number, width: number, height: number): Box => ({
  x,
  y,
  width,
  height,
});

/**
 * The ways to divide a picture; a mere picture has a caption below instead of a column of text.
 * A scene behind a card is moved to where the card is not.
 */
export const layoutsOf = (width: number, height: number, captioned: boolean): readonly Layout[] => {
  const landscape = width > height * 1.3;
  if (captioned && !landscape) {
    const text = box(12, height - 29, width - 24, 19);
    return [{ scene: box(0, -14, width, height), text, card: true }];
  }
  const half = Math.round(width * 0.54);
  const side = width - half;
  if (landscape) {
    const beside = box(Math.round(width * 0.29), 0, width, height);
    return [
      { scene: box(half, 0, side, height), text: box(7, 18, half - 14, height - 24) },
      { scene: beside, text: box(12, 26, half - 16, height - 42), card: true },
      { scene: box(0, 0, side, height), text: box(side + 7, 18, half - 14, height - 24) },
    ];
  }
  const part = Math.round(height * 0.46);
  const rest = height - part;
  return [
    { scene: box(0, 0, width, part), text: box(7, part + 6, width - 14, rest - 11) },
    { scene: box(56, 0, width - 56, height), text: box(7, 20, 44, height - 25) },
    {
      scene: box(0, -28, width, height),
      text: box(12, part + 2, width - 24, rest - 13),
      card: true,
    },
    { scene: box(0, rest, width, part), text: box(7, 18, width - 14, rest - 22) },
  ];
};
