import type { StandardSchema } from "../client/options/standard-schema.ts";
import { type AssumedBrand, type AssumedSavedAd, assumedBrand, assumedSavedAd } from "./library.ts";
import { type AssumedResults, assumedResults } from "./results.ts";

/** Type of {@link assumedSchemas}. @assumed A5 A6 A9 */
export interface AssumedSchemas {
  /** Schema of every brand. @assumed A5 */
  readonly brand: StandardSchema<unknown, AssumedBrand>;
  /** Schema of every saved ad. @assumed A6 */
  readonly savedAd: StandardSchema<unknown, AssumedSavedAd>;
  /** Schemas of results, by action. @assumed A9 */
  readonly results: AssumedResults;
}

/**
 * Schemas of everything that the API's document leaves open. **All of it is assumed**: try them
 * against the real service first. They require `url`, `id` and the lists of a result. A paid result
 * that does not fit is a `DecodeError` with the whole job in `lastJob`. Fields that the schemas do
 * not name are kept. An optional field of another type is left out.
 *
 * @assumed A5 A6 A9
 * @example
 * const client = createClient({ schemas: assumedSchemas });
 * const job = await client.jobs.submitAndPoll({ action: "generate-ad", prompt: "Lemonade" });
 * if (job.status === "completed") console.log(job.result.images[0]?.url);
 */
export const assumedSchemas: AssumedSchemas = {
  brand: assumedBrand,
  savedAd: assumedSavedAd,
  results: assumedResults,
};
