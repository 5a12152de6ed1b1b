import type { Deleted } from "../../contract/brands.ts";
import type { CreateSavedAdRequest, SavedAd } from "../../contract/saved-ads.ts";
import { writeBody } from "../http/body.ts";
import { checkData } from "../http/check-schema.ts";
import type { CallOptions, PostOptions } from "../options/call-options.ts";
import type { ClientConfig } from "../options/client-options.ts";
import type { RecordedTransport } from "./recorded-post.ts";

/** The library of saved ads. They have the type of your schema, where there is one. */
export interface SavedAdsResource<OwnAd = SavedAd> {
  /**
   * Saves an ad to the library, at most once for each call. On a server the client ensures that,
   * and in a page the proxy.
   *
   * @throws `AdGenError` with `outcome`
   * - `bad_request` (400): the service refuses a field.
   * - `not_found` (404): there is no such brand.
   * - The codes that every call can meet: see `ErrorCode`.
   * @see API v1, section 4 "Saved ads"
   */
  create(ad: CreateSavedAdRequest, options?: PostOptions): Promise<OwnAd>;

  /**
   * Deletes a saved ad.
   *
   * @throws `AdGenError` with `outcome`
   * - `not_found` (404): there is no such ad. After a retry, its outcome is `"unknown"`, because
   *   the first attempt may have deleted the ad.
   * - The codes that every call can meet: see `ErrorCode`.
   * @see API v1, section 4 "Saved ads"
   */
  delete(savedAdId: string, options?: CallOptions): Promise<Deleted>;
}

export const createSavedAdsResource = (
  { prepareCall, send, post }: RecordedTransport,
  { schemas: { savedAd: schema } }: ClientConfig,
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
