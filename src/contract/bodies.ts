import * as z from "zod/mini";
import type { CallWithBody } from "./endpoint.ts";
import { isLocalPicture } from "./jobs.ts";

/*
 * The requests' bodies stand beside the endpoints and not in them, because only a server checks
 * them. In the client the service's own 400 decides, and bundles need not hold these schemas.
 */

const text = z.string();

const picture = text.check(
  z.refine((value) => !isLocalPicture(value), { error: "expected a URL or a data URL" }),
);

/** @assumed A1 A2 */
const jobRequestFields = {
  action: text,
  prompt: z.optional(text),
  images: z.optional(z.array(picture)),
  variations: z.optional(z.number()),
  duration: z.optional(z.number()),
  brand_id: z.optional(text),
};

/** @assumed A5 */
const createBrandFields = { name: text };

/** @assumed A5 */
const updateBrandFields = { name: z.optional(text) };

/** @assumed A6 */
const createSavedAdFields = { brand_id: text };

/** The fields of each request body. */
export const requestBodies: Readonly<
  Record<CallWithBody, Readonly<Record<string, z.ZodMiniType>>>
> = {
  "jobs.submit": jobRequestFields,
  "brands.create": createBrandFields,
  "brands.update": updateBrandFields,
  "savedAds.create": createSavedAdFields,
};
