/** Parses a URL; returns `undefined` if it isn't valid. Older browsers lack `URL.parse`. */
export const parseUrl = (text: string, base?: string): URL | undefined => {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
};
