import type { CreateSavedAdRequest, SavedAd } from "../../src/contract/saved-ads.ts";
import { requireBrand } from "./brands.ts";
import { timestamp } from "./clock.ts";
import { assumedMessages } from "./messages.ts";
import { Refusal } from "./refusal.ts";
import { type Context, newestFirst, nextId } from "./state.ts";

/** @assumed A6 */
export const createSavedAd = ({ account, now }: Context, fields: CreateSavedAdRequest): SavedAd => {
  const { brand_id } = fields;
  requireBrand(account, brand_id);
  const own = { id: nextId(account, "ad"), created_at: timestamp(now) };
  const ad = { ...own, ...fields, ...own, brand_id };
  account.ads.set(ad.id, ad);
  return ad;
};

export const listSavedAds = ({ account }: Context, brandId: string, limit: number): SavedAd[] => {
  requireBrand(account, brandId);
  return newestFirst(account.ads)
    .filter(({ brand_id }) => brand_id === brandId)
    .slice(0, limit);
};

export const deleteSavedAd = ({ account }: Context, id: string) => {
  if (!account.ads.delete(id)) throw new Refusal("not_found", assumedMessages.savedAdNotFound);
  return { id, deleted: true };
};
