/** Deepest JSON that the mock accepts. Writing and copying recurse, and would overflow the stack. */
export const maxDepth = 64;

export const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));

/** Reads JSON; returns the text when it is no JSON, or too deep to be written again. */
export const readJson = (text: string): unknown => {
  if (text === "") return undefined;
  try {
    const value = JSON.parse(text);
    return isDeeperThan(maxDepth, value) ? text : value;
  } catch {
    return text;
  }
};
