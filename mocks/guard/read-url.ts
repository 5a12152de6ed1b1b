/**
 * Parses a URL; returns `undefined` if it isn't valid. Older browsers, and the `URL` that older versions of
 * jsdom put in place of Node's, lack `URL.parse` and `URL.canParse`.
 */
export const readUrl = (text: string | URL, base?: string): URL | undefined => {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
};
