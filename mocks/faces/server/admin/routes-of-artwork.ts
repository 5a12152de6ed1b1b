import * as z from "zod/mini";
import { optional, text } from "../../../options/fields.ts";
import type { MockService } from "../../../service/mock-service.ts";
import { answerFile } from "./byte-range.ts";
import { refuse } from "./refuse.ts";
import { defineRoute } from "./route.ts";

const mediaTypes = { svg: "image/svg+xml", png: "image/png", mp4: "video/mp4" } as const;

/** Headers of artwork, whose text may come from anyone: it runs and fetches nothing. */
const artworkHeaders = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  "x-content-type-options": "nosniff",
  // The same job may have another picture after a reset.
  "cache-control": "no-cache",
};

/** Elements that move a picture. The artwork writes them empty, and no ">" in their attributes. */
const animations = /<animate\w*[^>]*\/>/g;

const encoder = new TextEncoder();

/** Makes the bytes of a picture or a video. */
const makeFile = (
  service: MockService,
  jobId: string,
  variation: number,
  format: keyof typeof mediaTypes,
  still: boolean,
): Uint8Array<ArrayBuffer> | undefined => {
  if (format !== "svg") return service.artwork(jobId, variation, { format });
  const svg = service.artwork(jobId, variation);
  if (svg === undefined) return undefined;
  return encoder.encode(still ? svg.replace(animations, "") : svg);
};

const isFormat = (format: string): format is keyof typeof mediaTypes => format in mediaTypes;

export const artworkRoutes = {
  showPicture: defineRoute({
    summary:
      "Shows the picture of a job's variation, from 1.svg or 1.png, or its video, from 1.mp4; `still` stops what moves in SVG",
    input: {
      path: z.object({
        jobId: text.check(z.describe("Identifier of the job.")),
        file: z
          .string()
          .check(z.regex(/^\d+\.(svg|png|mp4)$/, { error: "a number and .svg, .png or .mp4" })),
      }),
      query: z.object({ still: optional(text, "Any value: the picture does not move") }),
    },
    run: ({ service, request, path: { jobId, file }, query }) => {
      const [number = "", format = ""] = file.split(".");
      const bytes = isFormat(format)
        ? makeFile(service, jobId, Number(number), format, query.still !== undefined)
        : undefined;
      if (bytes === undefined || !isFormat(format)) {
        throw refuse(404, `The job "${jobId}" has no picture ${file}`);
      }
      return answerFile(request, bytes, { ...artworkHeaders, "content-type": mediaTypes[format] });
    },
  }),
};
