/** Maximum depth of JSON that the mock accepts. Copying deeper values could overflow the stack. */
export const maxDepth = 64;

export const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));

/** Parses JSON. Returns the text itself if it isn't JSON, or is too deep to be copied. */
export const readJson = (text: string): unknown => {
  if (text === "") return undefined;
  try {
    const value = JSON.parse(text);
    return isDeeperThan(maxDepth, value) ? text : value;
  } catch {
    return text;
  }
};
