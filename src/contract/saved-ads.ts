/**
 * An ad in the library, as open as the API's document leaves it.
 *
 * @see API v1, section 2 "Saved ad"
 */
export interface SavedAd {
  /** @assumed A6 */
  id: string;
  /** Id of the brand that the ad is saved to, where the service says it. Not checked. @assumed A6 */
  brand_id?: unknown;
  /** Fields the API's document does not name, kept as received. */
  [field: string]: unknown;
}

/** The body that saves an ad to the library. */
export interface CreateSavedAdRequest {
  /** The brand to save it to. @assumed A6 */
  brand_id: string;
  /** Fields the API's document does not name; sent as given. */
  [field: string]: unknown;
}

/** @assumed A6 */
export const savedAdFields = { id: "string" } as const;
