/** Cuts the keys out of a text. */
export type Redact = (text: string) => string;

/** A part of a text that is a key, and what is shown in its place. */
type Part = readonly [start: number, end: number, mark: string];

/** The shortest key that is cut out of words. A shorter one, as in tests, is a part of many. */
const shortestInWords = 4;

/** The shortest key that is searched for in base64 and hex, where a few letters stand in any picture. */
const shortestEncoded = 8;

/** Times that escapes are decoded: those of JSON may stand inside those of HTML inside a URL. */
const mostDecodings = 3;

/** Letters that base64 makes of a key alone, whatever stands before and after it in the text. */
const inBase64 = (key: string): string[] =>
  [0, 1, 2].flatMap((before) => {
    const sure = Math.floor(((before + key.length) * 8) / 6);
    const letters = btoa(" ".repeat(before) + key).slice(Math.ceil((before * 8) / 6), sure);
    return [letters, letters.replaceAll("+", "-").replaceAll("/", "_")];
  });

/** One letter as URLs, JSON and HTML write it, also repeatedly. */
const escapedLetter =
  /%(?:25)*([0-9a-f]{2})|\\+(?:u00|x)([0-9a-f]{2})|&(?:amp;)*#x0*([0-9a-f]{2});|&(?:amp;)*#0*(\d{2,3});|&(?:amp;)*(amp|lt|gt|quot|apos|plus|sol|equals|lowbar|period);|\\+(["/\\])/gi;

const lettersByName: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" },
  ...{ plus: "+", sol: "/", equals: "=", lowbar: "_", period: "." },
};

const letterOf = ([, url, json, hex, decimal, name = "", itself]: RegExpExecArray): string =>
  itself ??
  lettersByName[name.toLowerCase()] ??
  String.fromCharCode(Number(decimal ?? `0x${url ?? json ?? hex}`));

/** Decodes the escaped letters of a text, and gives where each letter begins in it. */
const decode = (text: string): { letters: string; places: Uint32Array } => {
  const places = new Uint32Array(text.length + 1);
  let letters = "";
  let at = 0;
  const addUpTo = (end: number): void => {
    letters += text.slice(at, end);
    for (let place = letters.length - end + at; at < end; at++) places[place++] = at;
  };
  for (const match of text.matchAll(escapedLetter)) {
    addUpTo(match.index);
    places[letters.length] = at;
    letters += letterOf(match);
    at += match[0].length;
  }
  addUpTo(text.length);
  places[letters.length] = at;
  return { letters, places };
};

/** Forms in which a key is searched for, once escapes are decoded. */
const formsOf = (key: string): readonly string[] => {
  if (key.length < shortestEncoded || !/^[ -~]+$/.test(key)) return [key];
  const hex = Array.from(key, (letter) => letter.charCodeAt(0).toString(16)).join("");
  // A key may hold what looks like an escape.
  return [key, decode(key).letters, hex, hex.toUpperCase(), ...inBase64(key)];
};

/** Makes the function that finds keys in all their forms, in one pass however many they are. */
const createFinder = (marks: readonly (readonly [key: string, mark: string])[]) => {
  const forms = marks.flatMap(([key, mark]) => formsOf(key).map((form) => ({ form, mark })));
  // By their last letters: keys of one service begin alike, and end at random.
  const endLength = Math.min(4, ...forms.map(({ form }) => form.length));
  const byEnd = new Map<string, typeof forms>();
  for (const found of forms) {
    const end = found.form.slice(-endLength);
    byEnd.set(end, [...(byEnd.get(end) ?? []), found]);
  }
  const ends = Array.from(byEnd.keys(), (end) => end.replace(/\W/g, "\\$&"));
  const anyEnd = new RegExp(ends.join("|"), "g");

  const find = (text: string): Part[] => {
    const found: Part[] = [];
    anyEnd.lastIndex = 0;
    for (let match = anyEnd.exec(text); match !== null; match = anyEnd.exec(text)) {
      const { index, 0: letters } = match;
      // Ends may overlap.
      anyEnd.lastIndex = index + 1;
      const end = index + letters.length;
      for (const { form, mark } of byEnd.get(letters) ?? []) {
        const start = end - form.length;
        const around = text.charAt(start - 1) + text.charAt(end);
        const isPart = form.length < shortestInWords && /[\w-]/.test(around);
        if (text.endsWith(form, end) && !isPart) found.push([start, end, mark]);
      }
    }
    return found;
  };

  /** Finds keys whose letters are escaped, too. */
  const findAll = (text: string, decodings = 0): Part[] => {
    const found = find(text);
    if (decodings === mostDecodings || !/[%&\\]/.test(text)) return found;
    const { letters, places } = decode(text);
    if (letters.length === text.length) return found;
    for (const [start, end, mark] of findAll(letters, decodings + 1)) {
      found.push([places[start] ?? 0, places[end] ?? 0, mark]);
    }
    return found;
  };
  return findAll;
};

/** Puts marks in the place of parts, which may overlap. */
const cutOut = (text: string, parts: readonly Part[]): string => {
  const left: string[] = [];
  let from = 0;
  // A key that begins with another one goes first.
  const sorted = [...parts].sort((one, other) => one[0] - other[0] || other[1] - one[1]);
  for (const [start, end, mark] of sorted) {
    if (start >= from) left.push(text.slice(from, start), mark);
    from = Math.max(from, end);
  }
  return left.join("") + text.slice(from);
};

/**
 * Makes the function that cuts keys out of texts, in every form in which a service may echo them.
 *
 * @param keys - More may be added later
 * @param markOf - Gives what is shown in the place of a key, by its place among the keys
 */
export const createRedact = (
  keys: ReadonlySet<string>,
  markOf: (place: number) => string = () => "***",
): Redact => {
  let known = 0;
  let find: (text: string) => readonly Part[] = () => [];
  return (text) => {
    // Only now: most calls clean no text.
    if (keys.size !== known) {
      known = keys.size;
      find = createFinder([...keys].map((key, place) => [key, markOf(place)]));
    }
    const parts = find(text);
    return parts.length === 0 ? text : cutOut(text, parts);
  };
};
