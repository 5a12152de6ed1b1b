/**
 * An ad in the library. Its type is open, because the API's document does not show its fields.
 *
 * @see API v1, section 2 "Saved ad"
 */
export interface SavedAd {
  /** @assumed A6 */
  id: string;
  /** Id of the ad's brand, if the service names it. The client does not check it. @assumed A6 */
  brand_id?: unknown;
  /** Fields that the API's document does not name, kept as received. */
  [field: string]: unknown;
}

/** The body that saves an ad to the library. */
export interface CreateSavedAdRequest {
  /** Id of the brand to save it to. @assumed A6 */
  brand_id: string;
  /** Fields that the API's document does not name. They are sent as given. */
  [field: string]: unknown;
}

/** @assumed A6 */
export const savedAdFields = { id: "string" } as const;
