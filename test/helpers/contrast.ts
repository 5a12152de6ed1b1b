/** Contrast of two colours by WCAG 2.2, each of red, green and blue up to 255. */
export const contrastOf = (one: readonly number[], other: readonly number[]): number => {
  const [darker = 0, lighter = 0] = [one, other]
    .map((color) =>
      color
        .map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, index) => sum + part * ([0.2126, 0.7152, 0.0722][index] ?? 0), 0),
    )
    .sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};
