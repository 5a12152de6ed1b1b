/**
 * Answers a file, or the part of it that the request asks for: "bytes=0-99", "bytes=100-" or
 * "bytes=-100". Safari asks for parts of a video. Several ranges, and what is no range, get it whole.
 */
export const answerFile = (
  { method, headers: asked }: Request,
  bytes: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Response => {
  const { length } = bytes;
  const all = { ...headers, "accept-ranges": "bytes" };
  const range = method === "GET" ? asked.get("range") : null;
  const [, start = "", end = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(range ?? "") ?? [];
  const isWrong = start !== "" && end !== "" && Number(end) < Number(start);
  if (`${start}${end}` === "" || isWrong) {
    return new Response(bytes, { headers: { ...all, "content-length": String(length) } });
  }
  const first = start === "" ? Math.max(length - Number(end), 0) : Number(start);
  const last = start === "" || end === "" ? length - 1 : Math.min(Number(end), length - 1);
  const isThere = first < length;
  const part = isThere ? `${first}-${last}` : "*";
  return new Response(isThere ? bytes.subarray(first, last + 1) : null, {
    status: isThere ? 206 : 416,
    headers: { ...all, "content-range": `bytes ${part}/${length}` },
  });
};
