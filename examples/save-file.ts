// Saves one file of a result. The URL is data of another party, so everything about it is bounded.
// save-results.ts uses it.
import { createWriteStream } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";

/** Endings of files by type; other types are refused. */
const endings: ReadonlyMap<string, string> = new Map([
  ["image/jpeg", ".jpg"],
  ["image/png", ".png"],
  ["image/svg+xml", ".svg"],
  ["image/webp", ".webp"],
  ["video/mp4", ".mp4"],
  ["video/webm", ".webm"],
]);

export interface SaveOptions {
  /** Origins that files may come from, such as `https://files.example.com`. */
  readonly origins: ReadonlySet<string>;
  /** Largest file, in bytes. */
  readonly maxBytes: number;
  /** Time for one file, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Saves the file at a URL. Gives its path: the given one, and the ending of its type. */
export const saveFile = async (
  url: string,
  pathWithoutEnding: string,
  { origins, maxBytes, timeoutMs, signal }: SaveOptions,
): Promise<string> => {
  const { protocol, origin } = new URL(url);
  if (protocol !== "data:" && !origins.has(origin)) {
    throw new Error(`files may not come from ${origin}: add it to the origins if you trust it`);
  }
  const late = AbortSignal.timeout(timeoutMs);
  const end = signal === undefined ? late : AbortSignal.any([signal, late]);
  // A redirect may lead to any address, and no key goes along.
  const response = await fetch(url, { redirect: "error", signal: end });
  const { body, headers, ok, status } = response;
  const [type = ""] = (headers.get("content-type") ?? "").toLowerCase().split(/[; ]/, 1);
  const extension = endings.get(type);
  if (!ok || body === null || extension === undefined) {
    await body?.cancel();
    throw new Error(`no file to save from ${origin}: status ${status}, type "${type}"`);
  }

  const reader = body.getReader();
  async function* read(): AsyncGenerator<Uint8Array> {
    for (let bytes = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.byteLength;
      if (bytes > maxBytes) throw new Error(`the file has more than ${maxBytes} bytes`);
      yield value;
    }
  }

  const path = `${pathWithoutEnding}${extension}`;
  const part = `${path}.part`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await pipeline(read, createWriteStream(part));
    await rename(part, path); // half a file never has the name of a whole one
  } catch (error) {
    await reader.cancel().catch(() => {});
    await rm(part, { force: true });
    throw error;
  }
  return path;
};
