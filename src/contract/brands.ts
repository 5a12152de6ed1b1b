/**
 * A brand, as open as the API's document leaves it.
 *
 * @see API v1, section 2 "Brand"
 */
export interface Brand {
  /** @assumed A5 */
  id: string;
  /** Fields the API's document does not name, kept as received. */
  [field: string]: unknown;
}

/** The body that creates a brand. */
export interface CreateBrandRequest {
  /** @assumed A5 */
  name: string;
  /** Fields the API's document does not name; sent as given. */
  [field: string]: unknown;
}

/** The body that changes a brand: only the fields to change. */
export interface UpdateBrandRequest {
  /** @assumed A5 */
  name?: string | undefined;
  /** Fields the API's document does not name; sent as given. */
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
  /** Fields the API's document does not name, kept as received. */
  [field: string]: unknown;
}

/** A deletion may also answer with no body, or with `data: null`. @assumed A7 */
export const deletedFields = {};
