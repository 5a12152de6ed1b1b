/** Deepest JSON that the mock accepts. Writing and copying recurse, and would overflow the stack. */
export const maxDepth = 64;

export const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));
