import { checkData } from "../answer/check-schema.ts";
import type { SchemaOutput, StandardSchema } from "../answer/standard-schema.ts";
import type { Deleted } from "../contract/brands.ts";
import type { CreateSavedAdRequest, SavedAd } from "../contract/saved-ads.ts";
import type { CallOptions, PostOptions } from "../options/call-options.ts";
import type { ClientConfig, ClientSchemas } from "../options/client-options.ts";
import { writeBody } from "../request/body.ts";
import type { Transport } from "../request/call.ts";
import type { Post } from "./post-once.ts";

/** The type of a saved ad: your schema's, or {@link SavedAd}. */
export type SavedAdOf<S extends ClientSchemas> = S extends {
  savedAd: infer Ad extends StandardSchema;
}
  ? SchemaOutput<Ad>
  : SavedAd;

/** The library of saved ads. */
export interface SavedAdsResource<S extends ClientSchemas = ClientSchemas> {
  /**
   * Saves an ad to the library. Never sent twice, unless the first attempt provably never left
   * this machine.
   *
   * @throws {@link AdGenError} with `outcome`: `bad_request` (400), `unauthorized` (401),
   * `not_found` (404, the brand), `decode`, and whatever a call can meet.
   * @see API v1, section 4 "Saved ads"
   */
  create(ad: CreateSavedAdRequest, options?: PostOptions): Promise<SavedAdOf<S>>;

  /**
   * Deletes a saved ad.
   *
   * @throws {@link AdGenError} with `outcome`: `unauthorized` (401), `not_found` (404), and
   * whatever a call can meet. After a retry, a 404 has the outcome `"unknown"`: the first
   * attempt may have deleted it.
   * @see API v1, section 4 "Saved ads"
   */
  delete(savedAdId: string, options?: CallOptions): Promise<Deleted>;
}

export const createSavedAds = (
  { prepareCall, send }: Transport,
  { schemas: { savedAd: schema } }: ClientConfig,
  post: Post,
): SavedAdsResource => ({
  async create(ad, options) {
    const body = writeBody(ad, "ad");
    const call = prepareCall("savedAds.create", { body }, options);
    return checkData(schema, await post(call));
  },

  async delete(savedAdId, options) {
    const empty = { id: savedAdId, deleted: true };
    const call = prepareCall("savedAds.delete", { id: savedAdId, empty }, options);
    return { ...empty, ...(await send(call)).data };
  },
});
