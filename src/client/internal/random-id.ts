/** Creates a random id of 32 hexadecimal digits. Pages without https lack `crypto.randomUUID`. */
export const createRandomId = (): string => {
  const numbers = crypto.getRandomValues(new Uint32Array(4));
  return Array.from(numbers, (number) => number.toString(16).padStart(8, "0")).join("");
};
