import { showCaller } from "../client/errors/adgen-error.ts";
import { describeValue, oneLine } from "../client/errors/text.ts";
import {
  checkOptions,
  createRule,
  refuseArgument,
  wholeNumberRule,
} from "../client/options/rules.ts";
import { withoutSecrets } from "./file-options.ts";
import { requireFileSystem } from "./file-system.ts";
import { typeOfBytes, typeOfName } from "./file-type.ts";

const isPicture = (type: unknown): boolean =>
  typeof type === "string" && /^image\/[\w.+-]+$/.test(type);

type Input = Parameters<typeof toDataUrl>[0];

/** Bytes of a picture, and the type that its name or its `Blob` claims. */
interface Picture {
  readonly bytes: Uint8Array;
  readonly label: string | undefined;
}

/** Reads at most one byte more than `maxBytes`, because a file may grow, or report no size. */
const readPath = async (path: string | URL, maxBytes: number): Promise<Picture> => {
  const name = oneLine(String(path), 300);
  if (/^(https?|data):/i.test(name)) {
    const advice = "put the URL itself into images, or fetch it and pass its Blob";
    return refuseArgument(
      `toDataUrl takes a local picture, got ${withoutSecrets(name)}: ${advice}`,
    );
  }
  const fs = requireFileSystem("toDataUrl", "pass a Blob");
  const cannotRead = (cause: Error) =>
    refuseArgument(`toDataUrl cannot read ${name}: ${cause.message}`, cause);
  // Opening a pipe would wait for whoever writes into it, and a device has no end.
  const stat = await fs.stat(path).catch(cannotRead);
  if (!stat.isFile()) refuseArgument(`toDataUrl cannot read ${name}: it is not a regular file`);
  checkSize(stat.size, maxBytes);
  const file = await fs.open(path).catch(cannotRead);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let left = maxBytes + 1;
  try {
    while (left > 0) {
      const chunk = new Uint8Array(Math.min(left, 65_536));
      const { bytesRead } = await file.read(chunk, 0, chunk.byteLength, null);
      if (bytesRead === 0) break;
      chunks.push(chunk.subarray(0, bytesRead));
      left -= bytesRead;
    }
  } catch (error) {
    cannotRead(error as Error);
  } finally {
    await file.close();
  }
  const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
  return { bytes, label: typeOfName(name)?.type };
};

const checkSize = (size: number, maxBytes: number): void => {
  if (size > maxBytes) {
    refuseArgument(`toDataUrl got ${size} bytes, more than maxBytes (${maxBytes})`);
  }
};

const readPicture = async (file: Input, maxBytes: number): Promise<Picture> => {
  if (typeof file === "string" || file instanceof URL) return readPath(file, maxBytes);
  if (file instanceof Uint8Array || file instanceof ArrayBuffer) {
    return { bytes: new Uint8Array(file), label: undefined };
  }
  // A `File` of another window or of a library is not an instance of this `File`.
  if (typeof file?.arrayBuffer !== "function") {
    const kinds = "a Blob, a File, bytes, or a path";
    return refuseArgument(`toDataUrl takes ${kinds}, got ${describeValue(file)}`);
  }
  checkSize(file.size, maxBytes);
  // The file behind a Blob may have grown since the Blob was made, or may be gone.
  const content = await (file.slice?.(0, maxBytes + 1) ?? file)
    .arrayBuffer()
    .catch((cause: Error) => refuseArgument(`toDataUrl cannot read it: ${cause.message}`, cause));
  return { bytes: new Uint8Array(content), label: file.type?.split(";")[0] };
};

const toBase64 = (bytes: Uint8Array): string => {
  let text = "";
  // Engines limit the number of arguments of a call.
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(text);
};

/** Options of `toDataUrl`. */
export interface DataUrlOptions {
  /**
   * Content type of the picture, such as `image/png`.
   * @default the type that the first bytes show, or else the type of the `Blob` or the extension
   */
  readonly type?: string | undefined;
  /**
   * Largest picture in bytes, 1 or more. Its data URL is a third longer.
   * @default 10000000
   */
  readonly maxBytes?: number | undefined;
}

const convert = async (file: Input, options: DataUrlOptions): Promise<string> => {
  const rules = {
    type: createRule<string>("the type of a picture, such as image/png", isPicture),
    maxBytes: wholeNumberRule(1, Number.MAX_SAFE_INTEGER),
  };
  const defaults = { maxBytes: 10_000_000 };
  const config = checkOptions("toDataUrl", rules, options, refuseArgument, defaults);
  const { maxBytes } = config;
  const { bytes, label } = await readPicture(file, maxBytes);
  if (bytes.byteLength === 0) refuseArgument("toDataUrl got an empty file");
  checkSize(bytes.byteLength, maxBytes);
  const type = config.type ?? typeOfBytes(bytes)?.type ?? label;
  if (!isPicture(type)) {
    const known = type ? `type ${describeValue(type)}` : "no known type";
    const advice = 'if it is one, pass its type, as in { type: "image/png" }';
    refuseArgument(`toDataUrl takes a picture, got a file of ${known}: ${advice}`);
  }
  return `data:${type};base64,${toBase64(bytes)}`;
};

/**
 * Turns a local picture into a data URL, to send it in `images` of a request.
 *
 * @param file A `Blob` or `File`, as from a form; bytes; or, in Node, Bun and Deno, a path
 * or a `file:` URL. Never pass a path that comes from outside, because its file would be read.
 * @throws `AdGenError`
 * - `invalid_request`: the picture cannot be read, is not a regular file, is empty, is larger than
 *   `maxBytes`, or has a type that does not begin with `image/`.
 * - `config`: a path was given on a platform that has no file system.
 * @see The guide "The client", "Request parameters"
 * @example
 * const images = [await toDataUrl("bottle.png")];
 * await client.jobs.submit({ action: "edit-ad", prompt: "On a hot pavement", images });
 */
export const toDataUrl = async (
  file: Blob | ArrayBuffer | Uint8Array | string | URL,
  options: DataUrlOptions = {},
): Promise<string> => {
  try {
    return await convert(file, options);
  } catch (error) {
    throw showCaller(error);
  }
};
