import type { EndpointName } from "./endpoint.ts";
import { array, number, object, optional, type Schema, string } from "./schema.ts";

/*
 * What the requests carry. Beside the endpoints and not in them, because only a server checks
 * bodies: in the client the service's own 400 decides, and bundles need not hold these.
 */

/** @assumed A1 A2 */
const jobRequestSchema = object({
  action: string,
  prompt: optional(string),
  images: optional(array(string)),
  variations: optional(number),
  duration: optional(number),
  brand_id: optional(string),
});

/** @assumed A5 */
const createBrandSchema = object({ name: string });

/** @assumed A5 */
const updateBrandSchema = object({ name: optional(string) });

/** @assumed A6 */
const createSavedAdSchema = object({ brand_id: string });

/** By endpoint; those that are not here take no body. */
export const bodies: { readonly [Name in EndpointName]?: Schema } = {
  "jobs.submit": jobRequestSchema,
  "brands.create": createBrandSchema,
  "brands.update": updateBrandSchema,
  "savedAds.create": createSavedAdSchema,
};
