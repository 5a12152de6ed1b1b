/** Parses a URL; `undefined` when it is none. `URL.parse` is missing in older browsers. */
export const parseUrl = (text: string, base?: string): URL | undefined => {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
};
