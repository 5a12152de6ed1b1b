/* Finds the type of a file by its bytes, and checks whether its end is there. */

/** A type of files. */
export interface FileType {
  /** Content type, such as `image/png`. */
  readonly type: string;
  /** Extension with its dot, such as `.png`. */
  readonly extension: string;
}

/**
 * Number of bytes to examine at each end of a file. It is large, because an SVG may begin with a
 * long preamble.
 */
export const maxEndBytes = 16_384;

/** Minimum number of bytes to examine for a type, unless the file is shorter. */
export const minHeadBytes = 72;

/**
 * Each row holds a type, its extension, the first bytes as {@link showBytes} writes them, and other
 * labels that storages use. The first row whose signature fits counts. A picture or video may name
 * a general brand before its own, so the patterns look at several brands.
 */
const knownTypes: readonly (readonly [string, string, RegExp, ...string[]])[] = [
  ["image/jpeg", ".jpg", /^ÿØÿ/, "image/jpg", "image/pjpeg", ".jpeg"],
  ["image/png", ".png", /^·PNG····/],
  ["image/webp", ".webp", /^RIFF.{4}WEBP/],
  ["image/gif", ".gif", /^GIF8[79]a/],
  ["image/avif", ".avif", /^·.{3}ftyp.{0,60}?avi[fs]/],
  ["image/heic", ".heic", /^·.{3}ftyp.{0,60}?(hei[cmsx]|hev[cmsx]|mif1|msf1)/],
  ["image/svg+xml", ".svg", /^svg$/],
  ["video/quicktime", ".mov", /^·.{3}(ftypqt {2}|moov|mdat|wide|free|skip)/],
  ["audio/mp4", ".m4a", /^·.{3}ftypM4[AB] /],
  ["video/mp4", ".mp4", /^·.{3}ftyp/],
  ["video/webm", ".webm", /^·Eß£.{0,60}?webm/],
  ["audio/mpeg", ".mp3", /^(ID3|ÿ[âãòóúû])/, "audio/mp3"],
  ["audio/wav", ".wav", /^RIFF.{4}WAVE/, "audio/wave", "audio/x-wav", "audio/vnd.wave"],
];

/** Finds a type by one of its labels, or by its extension. */
const typeOf = (label: string): FileType | undefined => {
  const [type, extension] = knownTypes.find((names) => names.includes(label)) ?? [];
  return type && extension ? { type, extension } : undefined;
};

/** The last bytes of each type that ends with a mark. */
const endMarks: Readonly<Record<string, RegExp>> = {
  "image/png": /IEND®B`·/,
  // Within the compressed data of a picture, 0xFF is never followed by 0xD9.
  "image/jpeg": /ÿÙ/,
  "image/gif": /;·*$/,
  "image/svg+xml": /<\/(\w+:)?svg\s*>[\s·]*$/,
};

/** Writes each byte as one character. */
const toLatin1 = (bytes: Uint8Array): string =>
  String.fromCharCode(...bytes.subarray(0, maxEndBytes));

/**
 * Writes bytes so that a pattern can be read: letters as they are, and `·` for control characters.
 */
const showBytes = (bytes: Uint8Array): string => toLatin1(bytes).replaceAll(/\p{Cc}/gu, "·");

/** Matches what may precede the first element of an XML document. */
const prolog = /^(\s+|<\?.*?\?>|<!--.*?-->|<!doctype\s[^>[]*(\[[^\]]*\]\s*)?>)+/is;

/**
 * Names the kind of a text that a server sends in place of a file. Returns `undefined` for other
 * content.
 */
const describeText = (text: string): "svg" | "HTML" | "XML" | "JSON" | undefined => {
  const root = text.replace(prolog, "");
  if (/^<(\w+:)?svg[\s/>]/i.test(root)) return "svg";
  if (/^<(html|head|body|title|meta|script|p|h1|div)[\s/>]/i.test(root)) return "HTML";
  if (/^<(!doctype html|\?xml|!--|[a-z])/i.test(text)) return "XML";
  if (/^(\{\s*["}]|\[\s*["\d{[\]])/.test(text)) return "JSON";
  return undefined;
};

/** Finds the type of a file by its first bytes, or returns `undefined`. */
export const typeOfBytes = (head: Uint8Array): FileType | undefined => {
  const shown = readText(head) ?? showBytes(head);
  return typeOf(knownTypes.find(([, , signature]) => signature.test(shown))?.[0] ?? "");
};

const readText = (head: Uint8Array): ReturnType<typeof describeText> =>
  describeText(toLatin1(head).replace(/^ï»¿/, "").trimStart());

/** Returns the extension of a path in lower case, or an empty text. */
const extensionIn = (path: string): string =>
  /\.[a-z0-9]{1,8}$/.exec(path.toLowerCase())?.[0] ?? "";

/** Finds a type by the extension of a name. */
export const typeOfName = (name: string): FileType | undefined => typeOf(extensionIn(name));

/** Matches the content types that contain the extension. */
const mediaLabel = /^(?:(?:image|video|audio)\/(?:x-)?([a-z0-9]{1,8})|application\/(pdf|zip))$/;

/**
 * Matches the extensions of text files. A URL with such an extension does not promise a picture.
 */
const textExtension = /^\.(html?|xml|json|txt|md|csv|srt|vtt|css|js)$/;

/**
 * Returns the type of a file. Its bytes decide. If they show no type, the content type decides,
 * although storages often get it wrong, and then the path of the URL.
 *
 * @param head - The first bytes
 * @param contentType - The header; empty if the response has none
 * @param path - Path of the URL
 * @returns The type, or a description of the page that came in place of a file
 */
export const identify = (
  head: Uint8Array,
  contentType: string,
  path: string,
): FileType | string => {
  const found = typeOfBytes(head);
  if (found !== undefined) return found;
  // A header that was set twice arrives as a list.
  const [label = ""] = contentType
    .toLowerCase()
    .trim()
    .split(/[;,\s]/, 1);
  const extension = extensionIn(path);
  const text = readText(head);
  const saysText = /^text\/|^application\/(.*[+])?(json|xml)$/.test(label);
  if (text !== undefined || saysText) {
    const type = saysText ? label : "text/plain";
    return textExtension.test(extension) ? { type, extension } : `${text ?? label} text`;
  }
  const type = label || "application/octet-stream";
  const [, media, archive] = mediaLabel.exec(label) ?? [];
  const name = media ?? archive;
  if (name !== undefined) return typeOf(label) ?? { type, extension: `.${name}` };
  return typeOf(label) ?? typeOf(extension) ?? { type, extension: extension || ".bin" };
};

/**
 * Returns whether the last bytes of a file show its end, or `undefined` for a type without an end
 * mark.
 */
export const hasEnd = (type: string, tail: Uint8Array): boolean | undefined =>
  endMarks[type]?.test(showBytes(tail));
