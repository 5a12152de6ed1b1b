/**
 * A brand. Its type is open, because the API's document does not show its fields.
 *
 * @see API v1, section 2 "Brand"
 */
export interface Brand {
  /** @assumed A5 */
  id: string;
  /** Fields that the API's document does not name, kept as received. */
  [field: string]: unknown;
}

/** The body that creates a brand. */
export interface CreateBrandRequest {
  /** @assumed A5 */
  name: string;
  /** Fields that the API's document does not name. They are sent as given. */
  [field: string]: unknown;
}

/** The body that changes a brand: only the fields to change. */
export interface UpdateBrandRequest {
  /** @assumed A5 */
  name?: string | undefined;
  /** Fields that the API's document does not name. They are sent as given. */
  [field: string]: unknown;
}

/** @assumed A5 */
export const brandFields = { id: "string" } as const;

/** The answer to a deletion. */
export interface Deleted {
  /** The id that was deleted. @assumed A7 */
  id: string;
  /** @assumed A7 */
  deleted: boolean;
  /** Fields that the API's document does not name, kept as received. */
  [field: string]: unknown;
}

/** A deletion may also answer with no body, or with `data: null`. @assumed A7 */
export const deletedFields = {};
