import { describeValue, oneLine } from "../errors/text.ts";
import { checkOptions, refuseArgument, rule, wholeNumber } from "../options/rules.ts";
import { nameOf, parseUrl } from "./file-options.ts";
import { requireFileSystem } from "./file-system.ts";
import { typeOfName } from "./media-types.ts";

const isPicture = (type: unknown): boolean =>
  typeof type === "string" && /^image\/[\w.+-]+$/.test(type);

/** A URL that a request sends as it is; `undefined` for a path or a `file:` URL. */
const readyUrl = (file: string | URL): URL | undefined =>
  /^(https?|data):/i.test(String(file)) ? parseUrl(String(file)) : undefined;

const readPath = async (path: string | URL): Promise<Blob> => {
  const url = readyUrl(path);
  if (url !== undefined) {
    const todo = "put the URL itself into images, or fetch it and pass its Blob";
    return refuseArgument(`toDataUrl takes a local picture, got ${nameOf(url)}: ${todo}`);
  }
  const name = String(path);
  const content = await requireFileSystem("toDataUrl", "pass a Blob")
    .readFile(path)
    .catch((cause: Error) =>
      refuseArgument(`toDataUrl cannot read ${oneLine(name, 300)}: ${cause.message}`, cause),
    );
  return new Blob([content], { type: typeOfName(name) ?? "" });
};

const toBlob = async (file: Parameters<typeof toDataUrl>[0]): Promise<Blob> => {
  if (typeof file === "string" || file instanceof URL) return readPath(file);
  if (file instanceof Uint8Array || file instanceof ArrayBuffer) {
    return new Blob([new Uint8Array(file)]);
  }
  // A `File` of another window, or of a library, is no instance of ours.
  if (typeof file?.arrayBuffer === "function") return file;
  const kinds = "a Blob, a File, bytes, or a path";
  return refuseArgument(`toDataUrl takes ${kinds}, got ${describeValue(file)}`);
};

const toBase64 = (bytes: Uint8Array): string => {
  let text = "";
  // Engines bound the number of arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(text);
};

/** Options of `toDataUrl`. */
export interface DataUrlOptions {
  /**
   * Content type of the picture, such as `image/png`.
   * @default the type of the `Blob`, or of the ending of the path; bytes have none
   */
  readonly type?: string | undefined;
  /**
   * Largest picture in bytes, 1 or more. Its data URL is a third longer.
   * @default 10000000
   */
  readonly maxBytes?: number | undefined;
}

/**
 * Turns a local picture into a data URL, to send it in `images` of a request.
 *
 * @param file A `Blob` or `File`, as from a form; bytes, with `type`; or, in Node, Bun and Deno, a path
 * or a `file:` URL. Pass no path that comes from outside: it would be read.
 * @throws `InvalidRequestError` (`invalid_request`) for a picture that cannot be read, is empty, has
 * more than `maxBytes`, or has no type that begins with `image/`.
 * @throws `ConfigError` (`config`) for a path where there is no file system.
 * @see The guide "The client", "Request parameters"
 * @example
 * const images = [await toDataUrl("bottle.png")];
 * await client.jobs.submit({ action: "edit-ad", prompt: "On a hot pavement", images });
 */
export const toDataUrl = async (
  file: Blob | ArrayBuffer | Uint8Array | string | URL,
  options: DataUrlOptions = {},
): Promise<string> => {
  const rules = {
    type: rule<string>("the type of a picture, such as image/png", isPicture),
    maxBytes: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  };
  const defaults = { maxBytes: 10_000_000 };
  const config = checkOptions("toDataUrl", rules, options, refuseArgument, defaults);
  const blob = await toBlob(file);
  const { type = blob.type.split(";")[0], maxBytes } = config;
  if (!isPicture(type)) {
    const known = type ? `type ${describeValue(type)}` : "no known type";
    const todo = 'if it is one, pass its type, as in { type: "image/png" }';
    refuseArgument(`toDataUrl takes a picture, got a file of ${known}: ${todo}`);
  }
  if (blob.size === 0) refuseArgument("toDataUrl got an empty file");
  if (blob.size > maxBytes) {
    refuseArgument(`toDataUrl got ${blob.size} bytes, more than maxBytes (${maxBytes})`);
  }
  return `data:${type};base64,${toBase64(new Uint8Array(await blob.arrayBuffer()))}`;
};
