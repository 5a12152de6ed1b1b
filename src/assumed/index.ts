/**
 * Ready schemas of what the API's document does not show: results, brands and saved ads. **All of
 * it is assumed**; the guide "Documented and assumed" lists the assumptions. This folder may import
 * `contract`, and from `client` only `errors` and `options`.
 *
 * @module adgen-sdk/assumed
 */

export { type AssumedSchemas, assumedSchemas } from "./assumed-schemas.ts";
export {
  type AssumedBrand,
  type AssumedSavedAd,
  assumedBrand,
  assumedSavedAd,
} from "./library.ts";
export {
  type AssumedAdCopy,
  type AssumedCopyResult,
  type AssumedImage,
  type AssumedImageResult,
  type AssumedVideo,
  type AssumedVideoResult,
  assumedCopyResult,
  assumedImageResult,
  assumedResults,
  assumedVideoResult,
} from "./results.ts";
