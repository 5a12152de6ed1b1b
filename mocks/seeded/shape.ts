/** Width and height in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Reads the size that a request asks for by its field `aspect_ratio`, such as "9:16". The document
 * does not say how to ask. @assumed A9
 */
export const askedSize = (ratio: unknown, usual: PixelSize): PixelSize => {
  const [, across = 0, down = 0] = (/^(\d\d?):(\d\d?)$/.exec(String(ratio)) ?? []).map(Number);
  if (across === 0 || down === 0 || Math.max(across / down, down / across) > 3) return usual;
  const shorter = Math.min(usual.width, usual.height);
  const longer = Math.round((shorter * Math.max(across, down)) / Math.min(across, down));
  return across > down ? { width: longer, height: shorter } : { width: shorter, height: longer };
};
