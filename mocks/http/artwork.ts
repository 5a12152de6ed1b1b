/** The pictures and videos of results, which the server and MSW serve by URL, as a real service would. */
import { makeFile, type ResultFile } from "../artwork/results.ts";
import type { ServiceState } from "./service-state.ts";

/** Path of the files, below the base URL. */
export const artworkPath = "/__mock/artwork";

/** Returns the URL of the folder with all files, below the base URL that a request was sent to. */
export const artworkFolderOf = (baseUrl: string | undefined, { origin, pathname }: URL): string =>
  (baseUrl ?? origin + pathname.slice(0, pathname.lastIndexOf("/v1/"))) + artworkPath;

/** Finds the file that a URL names; `undefined` if no job has it. */
const findFile = ({ accounts }: ServiceState, { pathname }: URL): ResultFile | undefined => {
  const [, id = "", name = ""] = /\/__mock\/artwork\/([^/]+)\/([^/]+)$/.exec(pathname) ?? [];
  const jobs = Array.from(accounts.values(), ({ state }) => state.jobs.get(id));
  const job = jobs.find((each) => each !== undefined);
  return job && makeFile(job, name);
};

/** Headers of a file. A picture contains its prompt, which may be hostile, so it may not run or load anything. */
const headers = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  "x-content-type-options": "nosniff",
  // After a reset, the same URL may name another picture.
  "cache-control": "no-cache",
  "accept-ranges": "bytes",
};

/**
 * Answers a request for a file, or for a part of it, such as "bytes=0-99", as a `<video>` asks for it.
 * Other kinds of ranges are ignored.
 */
export const answerArtwork = (
  world: ServiceState,
  { method, url, headers: asked }: Request,
): Response => {
  const file = findFile(world, new URL(url));
  if (file === undefined) return new Response("No such file", { status: 404 });
  const { type, content } = file;
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const all = { ...headers, "content-type": type, "content-length": String(bytes.length) };
  if (method === "HEAD") return new Response(null, { headers: all });
  const [, start, end] = /^bytes=(\d{1,9})-(\d{0,9})$/.exec(asked.get("range") ?? "") ?? [];
  const [first, last] = [Number(start), Math.min(Number(end || bytes.length), bytes.length - 1)];
  if (start === undefined || first > last) return new Response(bytes, { headers: all });
  return new Response(bytes.subarray(first, last + 1), {
    status: 206,
    headers: {
      ...all,
      "content-length": String(last + 1 - first),
      "content-range": `bytes ${first}-${last}/${bytes.length}`,
    },
  });
};
