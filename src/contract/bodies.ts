import * as z from "zod/mini";
import type { EndpointName } from "./endpoint.ts";
import type { SchemaSource } from "./schema.ts";

/*
 * The requests' bodies stand beside the endpoints and not in them, because only a server checks
 * them. In the client the service's own 400 decides, and bundles need not hold these schemas.
 */

/** @assumed A1 A2 */
const jobRequestSchema = () =>
  z.object({
    action: z.string(),
    prompt: z.optional(z.string()),
    images: z.optional(z.array(z.string())),
    variations: z.optional(z.number()),
    duration: z.optional(z.number()),
    brand_id: z.optional(z.string()),
  });

/** @assumed A5 */
const createBrandSchema = () => z.object({ name: z.string() });

/** @assumed A5 */
const updateBrandSchema = () => z.object({ name: z.optional(z.string()) });

/** @assumed A6 */
const createSavedAdSchema = () => z.object({ brand_id: z.string() });

/** The schema of each endpoint's body; an endpoint that is missing here takes no body. */
export const bodies: { readonly [Name in EndpointName]?: SchemaSource } = {
  "jobs.submit": jobRequestSchema,
  "brands.create": createBrandSchema,
  "brands.update": updateBrandSchema,
  "savedAds.create": createSavedAdSchema,
};
