/** The part of a file that a request asks for: both ends are in it. */
interface Range {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads the `range` of a request: "bytes=0-99", "bytes=100-" or "bytes=-100". Gives `undefined` when
 * the whole file is the answer, which also answers several ranges and what is no range.
 */
const readRange = (header: string | null, length: number): Range | "none" | undefined => {
  const [, start = "", end = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header ?? "") ?? [];
  if (start === "" && end === "") return undefined;
  if (start === "") {
    return Number(end) === 0
      ? "none"
      : { first: Math.max(length - Number(end), 0), last: length - 1 };
  }
  const last = Math.min(end === "" ? Infinity : Number(end), length - 1);
  if (end !== "" && Number(end) < Number(start)) return undefined;
  return Number(start) < length ? { first: Number(start), last } : "none";
};

/** Answers a file, or the part of it that the request asks for. Safari asks for parts of a video. */
export const answerFile = (
  request: Request,
  bytes: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Response => {
  const { length } = bytes;
  const all = { ...headers, "accept-ranges": "bytes" };
  const range =
    request.method === "GET" ? readRange(request.headers.get("range"), length) : undefined;
  if (range === "none") {
    return new Response(null, {
      status: 416,
      headers: { ...all, "content-range": `bytes */${length}` },
    });
  }
  if (range === undefined) {
    return new Response(bytes, { headers: { ...all, "content-length": String(length) } });
  }
  const { first, last } = range;
  return new Response(bytes.subarray(first, last + 1), {
    status: 206,
    headers: { ...all, "content-range": `bytes ${first}-${last}/${length}` },
  });
};
