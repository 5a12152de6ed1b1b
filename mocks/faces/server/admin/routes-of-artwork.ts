import * as z from "zod/mini";
import { optional, text } from "../../../options/fields.ts";
import { keysOf } from "../../../options/require.ts";
import { answerFile } from "./byte-range.ts";
import { found } from "./refuse.ts";
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
      const format = keysOf(mediaTypes).find((name) => file.endsWith(name)) ?? "svg";
      const made = service.artwork(jobId, Number.parseInt(file, 10), { format });
      const picture = found(made, `The job "${jobId}" has no picture ${file}`);
      const isStopped = typeof picture === "string" && query.still !== undefined;
      const bytes = Buffer.from(isStopped ? picture.replace(animations, "") : picture);
      return answerFile(request, bytes, {
        ...artworkHeaders,
        "content-type": mediaTypes[format],
      });
    },
  }),
};
