/**
 * Creates a function that prints each warning once, and no more than `max` of them. It never
 * throws, even if the console does or is missing.
 */
export const createWarner = (max = Number.POSITIVE_INFINITY) => {
  const told = new Set<string>();
  return (message: string): void => {
    if (told.has(message) || told.size === max) return;
    told.add(message);
    try {
      console.warn(`adgen-sdk: ${message}`);
    } catch {
      // A warning must not stop a request.
    }
  };
};
