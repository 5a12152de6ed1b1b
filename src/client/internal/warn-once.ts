/** Creates a function that prints each warning once, and no more than `max` of them. */
export const createWarner = (max = Number.POSITIVE_INFINITY) => {
  const told = new Set<string>();
  return (message: string): void => {
    if (told.has(message) || told.size === max) return;
    told.add(message);
    console.warn(`adgen-sdk: ${message}`);
  };
};
