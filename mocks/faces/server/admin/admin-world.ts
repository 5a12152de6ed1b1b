import type { MockSnapshot } from "../../../world/snapshot.ts";
import { isObject } from "./admin-input.ts";
import { type AdminRoute, makesSense, Refusal } from "./admin-route.ts";

/** Pictures may be text of anybody: nothing in them is run, nothing fetched. */
const pictureHeaders = {
  "content-type": "image/svg+xml",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  "x-content-type-options": "nosniff",
  // The same job may have another picture after a reset.
  "cache-control": "no-cache",
};

/** As the artwork writes them: empty elements, without a sign of their own in their attributes. */
const animations = /<animate\w*[^>]*\/>/g;

export const worldRoutes: readonly AdminRoute[] = [
  {
    method: "GET",
    path: "/__mock/snapshot",
    summary: "everything as JSON; without the journal: ?journal=false",
    answer: ({ service, query }) => service.snapshot({ journal: query.get("journal") !== "false" }),
  },
  {
    method: "PUT",
    path: "/__mock/snapshot",
    summary: "makes everything as it was in a snapshot",
    answer: ({ service, body }) => {
      if (!isObject(body)) throw new Refusal(400, "snapshot: expected an object");
      // As GET answers it, in its envelope, or without.
      const snapshot = isObject(body["data"]) ? body["data"] : body;
      // `restore` judges what it is given: hence the cast.
      makesSense("snapshot", () => service.restore(snapshot as unknown as MockSnapshot));
      return { restored: true };
    },
  },
  {
    method: "POST",
    path: "/__mock/reset",
    summary: "makes everything as new",
    fields: [],
    answer: ({ service }) => {
      service.reset();
      return { reset: true };
    },
  },
  {
    method: "GET",
    path: "/__mock/artwork/:jobId/:file{[0-9]+\\.svg}",
    summary: "the picture of a job's variation, from 1; one that does not move: ?still",
    answer: ({ service, parts, query }) => {
      const svg = service.artwork(parts["jobId"] ?? "", Number.parseInt(parts["file"] ?? "", 10));
      if (svg === undefined) throw new Refusal(404, "No picture here");
      const shown = query.has("still") ? svg.replace(animations, "") : svg;
      return new Response(shown, { headers: pictureHeaders });
    },
  },
];
