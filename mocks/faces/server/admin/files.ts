import * as z from "zod/mini";
import { successEnvelope } from "../../../../src/contract/envelope.ts";
import { optional, trueOrFalse } from "../../../options/fields.ts";
import { keysOf, requireKnown } from "../../../options/require.ts";
import { overview } from "../page/overview.ts";
import { serviceDocument } from "./documents.ts";
import { jsonHeaders, type Row, refuse, showTime } from "./row.ts";

/**
 * Answers a file, or the part of it that the request asks for, such as "bytes=0-99": Safari asks for
 * parts of a video. Whoever asks in another way gets it whole.
 */
const answerFile = (
  { method, headers: asked }: Request,
  bytes: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Response => {
  const { length } = bytes;
  const all = { ...headers, "accept-ranges": "bytes" };
  const range = method === "GET" ? (asked.get("range") ?? "") : "";
  const [, start, end] = /^bytes=(\d{1,9})-(\d{0,9})$/i.exec(range) ?? [];
  const [first, last] = [Number(start), Math.min(Number(end || length), length - 1)];
  if (start === undefined || first > last) {
    return new Response(bytes, { headers: { ...all, "content-length": String(length) } });
  }
  return new Response(bytes.subarray(first, last + 1), {
    status: 206,
    headers: { ...all, "content-range": `bytes ${first}-${last}/${length}` },
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

/** Routes that are no command: what a browser or `curl` reads by GET. */
export const fileRows: readonly Row[] = [
  {
    method: "GET",
    path: "/__mock/clock",
    summary: "Shows the time: the server is ready",
    answer: ({ service }) => showTime(service.clock),
  },
  {
    method: "GET",
    path: "/__mock/health",
    summary: "Tells that the server is ready",
    answer: () => ({ status: "ok" }),
  },
  {
    method: "GET",
    path: "/__mock/state",
    summary: "Shows the newest of everything; the time is in x-mock-now",
    answer: ({ service }) => {
      const seen = successEnvelope(overview(service));
      const now = String(service.clock.now());
      return Response.json(seen, { headers: { ...jsonHeaders, "x-mock-now": now } });
    },
  },
  {
    method: "GET",
    path: "/__mock/artwork/:jobId/:file",
    summary: "Answers a picture of a job, such as 1.svg or 1.png, or a video, such as 1.mp4",
    answer: ({ service, request, path: { jobId = "", file = "" } }) => {
      const [, number, format] = /^(\d+)\.(svg|png|mp4)$/.exec(file) ?? [];
      const name = keysOf(mediaTypes).find((known) => known === format);
      const picture = name && service.artwork(jobId, Number(number), { format: name });
      if (!picture) throw refuse(404, `The job "${jobId}" has no picture ${file}`);
      const headers = { ...artworkHeaders, "content-type": mediaTypes[name] };
      return answerFile(request, Buffer.from(picture), headers);
    },
  },
  {
    method: "GET",
    path: "/__mock/openapi.json",
    summary: "Answers the OpenAPI document of the service, with this server as its address",
    answer: ({ request }) => {
      const servers = [{ url: new URL(request.url).origin, description: "This mock." }];
      return Response.json({ ...JSON.parse(serviceDocument), servers }, { headers: jsonHeaders });
    },
  },
];
