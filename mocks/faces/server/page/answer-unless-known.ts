import { createHash } from "node:crypto";

/** Makes the ETag of a text. */
export const etagOf = (text: string): string =>
  `"${createHash("sha1").update(text).digest("base64url")}"`;

/** Answers with a text, or with 304 when the client has it already. */
export const answerUnlessKnown = (
  { headers }: Request,
  etag: string,
  more: Readonly<Record<string, string>>,
  write: () => string,
): Response =>
  headers.get("if-none-match") === etag
    ? new Response(null, { status: 304, headers: { ...more, etag } })
    : new Response(write(), { headers: { ...more, etag } });
