/** Deepest JSON that the mock accepts. Writing and copying recurse, and would overflow the stack. */
export const maxDepth = 64;

export const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));

/** Most names, objects and lists of a body: half a million of them would take the mock seconds. */
export const maxParts = 50_000;

const [quote, colon, backslash] = [0x22, 0x3a, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Finds the end of a string: the place of its closing quote, or the end of the text. */
const findEndOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    // An even number of backslashes escape each other, and not the quote.
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
};

/**
 * Finds out cheaply, before a text is parsed, that it would block the mock for seconds. Such a text
 * is nested too deeply, or has too many parts. It need not be JSON.
 */
export const findExcess = (text: string): "depth" | "parts" | undefined => {
  if (text.length <= maxDepth) return undefined;
  let [depth, parts] = [0, 0];
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    if (code === quote) place = findEndOfString(text, place + 1);
    else if (code === openList || code === openObject) {
      depth += 1;
      parts += 1;
    } else if (code === closeList || code === closeObject) depth -= 1;
    else if (code === colon) parts += 1;
    if (depth > maxDepth) return "depth";
    if (parts > maxParts) return "parts";
  }
  return undefined;
};

/** Reads JSON; returns the text when it is no JSON, or too much to be read or written again. */
export const readJson = (text: string): unknown => {
  if (text === "") return undefined;
  if (findExcess(text) !== undefined) return text;
  try {
    const value = JSON.parse(text);
    return isDeeperThan(maxDepth, value) ? text : value;
  } catch {
    return text;
  }
};
