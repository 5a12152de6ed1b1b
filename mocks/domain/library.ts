/** Brands, and the ads that were saved for them. */
import type { Brand } from "../../src/contract/brands.ts";
import type { CreateSavedAdRequest, SavedAd } from "../../src/contract/saved-ads.ts";
import { isoTime } from "./clock.ts";
import { assumedMessages, Refusal } from "./messages.ts";
import { type AccountState, type Context, newestFirst, nextId } from "./state.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The account that something is created for, and the time. */
export type Owner = Pick<Context, "account" | "now">;

/** Finds a brand. @throws Refusal when the account has no brand with this id */
export const requireBrand = (account: AccountState, id: string): Brand => {
  const brand = account.brands.get(id);
  if (brand === undefined) throw new Refusal("not_found", assumedMessages.brandNotFound);
  return brand;
};

export const listBrands = ({ account }: Context, limit: number): Brand[] =>
  newestFirst(account.brands).slice(0, limit);

/** Creates a brand from all fields that were sent. The service sets the id and the times. @assumed A5 */
export const createBrand = ({ account, now }: Owner, fields: Fields, id?: string): Brand => {
  const made = nextId(account, "brand");
  const created_at = isoTime(now);
  const own = { id: id ?? made, created_at, updated_at: created_at };
  // The first `own` puts these fields first; the second one overrides the fields that were sent.
  const brand = { ...own, ...fields, ...own };
  account.brands.set(brand.id, brand);
  return brand;
};

export const updateBrand = ({ account, now }: Context, id: string, fields: Fields): Brand => {
  const before = requireBrand(account, id);
  const { created_at } = before;
  const brand = { ...before, ...fields, id, created_at, updated_at: isoTime(now) };
  account.brands.set(brand.id, brand);
  return brand;
};

/** Deletes a brand. Its ads stay, and can be deleted by their ids. @assumed A17 */
export const deleteBrand = ({ account }: Context, id: string) => {
  requireBrand(account, id);
  account.brands.delete(id);
  return { id, deleted: true };
};

/** @assumed A6 */
export const createSavedAd = (
  { account, now }: Owner,
  fields: CreateSavedAdRequest,
  id?: string,
): SavedAd => {
  const { brand_id } = fields;
  requireBrand(account, brand_id);
  const made = nextId(account, "ad");
  const own = { id: id ?? made, created_at: isoTime(now) };
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
