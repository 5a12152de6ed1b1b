/*
 * The client's methods, one file for each resource. This folder imports polling, http and what lies
 * below them, and sends through the `Transport` that it is given.
 */

import type {
  Brand,
  CreateBrandRequest,
  Deleted,
  UpdateBrandRequest,
} from "../../contract/brands.ts";
import type { Page } from "../../contract/page.ts";
import type { SavedAd } from "../../contract/saved-ads.ts";
import { writeBody } from "../http/body.ts";
import { checkData } from "../http/check-schema.ts";
import type { CallOptions, ListQuery, PostOptions } from "../options/call-options.ts";
import type { ClientConfig } from "../options/client-options.ts";
import type { RecordedTransport } from "./recorded-post.ts";

/** Brands, and the ads saved to them. Both have the types of your schemas, where there are any. */
export interface BrandsResource<OwnBrand = Brand, OwnAd = SavedAd> {
  /**
   * Lists your brands, in the service's order.
   *
   * @throws `AdGenError`
   * - The codes that every call can meet: see `ErrorCode`.
   * @see API v1, section 4 "Brands"
   */
  list(query?: ListQuery, options?: CallOptions): Promise<Page<OwnBrand>>;

  /**
   * Creates a brand, at most one for each call. On a server the client ensures that, and in a page
   * the proxy.
   *
   * @throws `AdGenError` with `outcome`
   * - `bad_request` (400): the service refuses a field.
   * - The codes that every call can meet: see `ErrorCode`.
   * @see API v1, section 4 "Brands"
   */
  create(brand: CreateBrandRequest, options?: PostOptions): Promise<OwnBrand>;

  /**
   * Changes the given fields of a brand.
   *
   * @throws `AdGenError` with `outcome`
   * - `bad_request` (400): the service refuses a field.
   * - `not_found` (404): there is no such brand.
   * - The codes that every call can meet: see `ErrorCode`.
   * @see API v1, section 4 "Brands"
   */
  update(brandId: string, changes: UpdateBrandRequest, options?: CallOptions): Promise<OwnBrand>;

  /**
   * Deletes a brand.
   *
   * @throws `AdGenError` with `outcome`
   * - `not_found` (404): there is no such brand. After a retry, its outcome is `"unknown"`, because
   *   the first attempt may have deleted the brand.
   * - The codes that every call can meet: see `ErrorCode`.
   * @see API v1, section 4 "Brands"
   */
  delete(brandId: string, options?: CallOptions): Promise<Deleted>;

  /**
   * Lists the ads saved to a brand, in the service's order.
   *
   * @throws `AdGenError`
   * - `not_found` (404): there is no such brand.
   * - The codes that every call can meet: see `ErrorCode`.
   * @see API v1, section 4 "Brands"
   */
  listAds(brandId: string, query?: ListQuery, options?: CallOptions): Promise<Page<OwnAd>>;
}

export const createBrandsResource = (
  { prepareCall, send, post }: RecordedTransport,
  { schemas: { brand: schema, savedAd } }: ClientConfig,
): BrandsResource => ({
  async list(query, options) {
    const call = prepareCall("brands.list", { query }, options);
    return checkData(schema, await send(call));
  },

  async create(brand, options) {
    const body = writeBody(brand, "brand");
    const call = prepareCall("brands.create", { body }, options);
    return checkData(schema, await post(call));
  },

  async update(brandId, changes, options) {
    const body = writeBody(changes, "changes");
    const input = { id: brandId, body, empty: { id: brandId } };
    const call = prepareCall("brands.update", input, options);
    return checkData(schema, await send(call));
  },

  async delete(brandId, options) {
    const empty = { id: brandId, deleted: true };
    const call = prepareCall("brands.delete", { id: brandId, empty }, options);
    return { ...empty, ...(await send(call)).data };
  },

  async listAds(brandId, query, options) {
    const call = prepareCall("brands.listAds", { id: brandId, query }, options);
    return checkData(savedAd, await send(call));
  },
});
