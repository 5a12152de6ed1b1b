import * as z from "zod/mini";
import { text } from "../../../options/fields.ts";
import { keysOf } from "../../../options/require.ts";
import { answerUnlessKnown, etagOf } from "../page/answer-unless-known.ts";
import { serviceDocument } from "./documents.ts";
import { defineRoute, found, jsonHeaders } from "./route.ts";

/**
 * Answers a file, or the part of it that the request asks for: "bytes=0-99", "bytes=100-" or
 * "bytes=-100". Safari asks for parts of a video. Several ranges, and what is no range, get it whole.
 */
const answerFile = (
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

const mediaTypes = { svg: "image/svg+xml", png: "image/png", mp4: "video/mp4" } as const;

/** Headers of artwork, whose text may come from anyone: it runs and fetches nothing. */
const artworkHeaders = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  "x-content-type-options": "nosniff",
  // The same job may have another picture after a reset.
  "cache-control": "no-cache",
};

export const fileRoutes = {
  showPicture: defineRoute(
    {
      path: z.object({
        jobId: text.check(z.describe("Identifier of the job.")),
        file: z
          .string()
          .check(z.regex(/^\d+\.(svg|png|mp4)$/, { error: "a number and .svg, .png or .mp4" })),
      }),
    },
    ({ service, request, path: { jobId, file } }) => {
      const format = keysOf(mediaTypes).find((name) => file.endsWith(name)) ?? "svg";
      const made = service.artwork(jobId, Number.parseInt(file, 10), { format });
      const picture = found(made, `The job "${jobId}" has no picture ${file}`);
      return answerFile(request, Buffer.from(picture), {
        ...artworkHeaders,
        "content-type": mediaTypes[format],
      });
    },
  ),
  showOpenApi: defineRoute({}, ({ request }) => {
    const servers = [{ url: new URL(request.url).origin, description: "This mock." }];
    const body = JSON.stringify({ ...JSON.parse(serviceDocument), servers });
    const headers = { ...jsonHeaders, "content-type": "application/json" };
    return answerUnlessKnown(request, etagOf(body), headers, () => body);
  }),
};
