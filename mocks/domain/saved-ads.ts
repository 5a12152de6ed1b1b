import type { CreateSavedAdRequest, SavedAd } from "../../src/contract/saved-ads.ts";
import { requireBrand } from "./brands.ts";
import { timestamp } from "./clock.ts";
import { createCollection } from "./collection.ts";
import { assumedMessages } from "./messages.ts";
import { Refusal } from "./refusal.ts";
import { type AccountState, type Context, nextId } from "./state.ts";

/** Puts an ad into the list of its brand. */
export const linkSavedAd = ({ adsOfBrand }: AccountState, brandId: string, ad: SavedAd): void => {
  const siblings = adsOfBrand.get(brandId) ?? createCollection<SavedAd>();
  siblings.set(ad);
  adsOfBrand.set(brandId, siblings);
};

/** @assumed A6 */
export const createSavedAd = ({ account, now }: Context, fields: CreateSavedAdRequest): SavedAd => {
  const { brand_id } = fields;
  requireBrand(account, brand_id);
  const own = { id: nextId(account, "ad"), created_at: timestamp(now) };
  const ad = { ...own, ...fields, ...own, brand_id };
  account.ads.set(ad);
  linkSavedAd(account, brand_id, ad);
  return ad;
};

export const listSavedAds = ({ account }: Context, brandId: string, limit: number): SavedAd[] => {
  requireBrand(account, brandId);
  return account.adsOfBrand.get(brandId)?.list(limit, (ad) => ad) ?? [];
};

export const deleteSavedAd = ({ account }: Context, id: string) => {
  const ad = account.ads.get(id);
  if (ad === undefined) throw new Refusal("not_found", assumedMessages.savedAdNotFound);
  account.ads.delete(id);
  if (typeof ad.brand_id === "string") account.adsOfBrand.get(ad.brand_id)?.delete(id);
  return { id, deleted: true };
};
