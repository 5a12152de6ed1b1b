import { readySchema } from "./ready-schema.ts";

/** A brand. @assumed A5 */
export interface AssumedBrand {
  /** Identifier of the brand. @assumed A5 */
  id: string;
  /** Name, as it was sent. @assumed A5 */
  name?: string;
  /** Time of its creation. The mock writes it as `2026-03-02T09:15:00.000Z`. @assumed A5 */
  created_at?: string;
  /** Time of its last change, written in the same way. @assumed A5 */
  updated_at?: string;
  /** The fields that you sent, and any others, as the service returned them. @assumed A5 */
  [field: string]: unknown;
}

/** An ad in the library. @assumed A6 */
export interface AssumedSavedAd {
  /** Identifier of the saved ad. @assumed A6 */
  id: string;
  /** Id of the brand that the ad is saved to. @assumed A6 */
  brand_id?: string;
  /** Time at which it was saved. The mock writes it as `2026-03-02T09:15:00.000Z`. @assumed A6 */
  created_at?: string;
  /** The fields that you sent, and any others, as the service returned them. @assumed A6 */
  [field: string]: unknown;
}

/** Schema of a brand, to hand in as `schemas: { brand: assumedBrand }`. @assumed A5 */
export const assumedBrand = readySchema<AssumedBrand>("A5", {
  id: "string",
  name: "string?",
  created_at: "string?",
  updated_at: "string?",
});

/** Schema of a saved ad, to hand in as `schemas: { savedAd: assumedSavedAd }`. @assumed A6 */
export const assumedSavedAd = readySchema<AssumedSavedAd>("A6", {
  id: "string",
  brand_id: "string?",
  created_at: "string?",
});
