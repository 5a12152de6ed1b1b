import { ask, same } from "./bench.ts";
import { notFound, type Place, resolve, type Step, several, shown, step } from "./steps.ts";
import type { ModelAd, ModelBrand } from "./world.ts";

const written = (ms: number): string => new Date(ms).toISOString();

const shownBrand = ({ id, fields, createdAt, updatedAt }: ModelBrand) => ({
  id,
  created_at: written(createdAt),
  updated_at: written(updatedAt),
  ...fields,
});

const shownAd = ({ id, brandId, fields, createdAt }: ModelAd) => ({
  id,
  created_at: written(createdAt),
  brand_id: brandId,
  ...fields,
});

export type Fields = Readonly<Record<string, unknown>>;

export const createBrand = (tenant: number, fields: Fields): Step =>
  step(`createBrand(${tenant}, ${shown(fields)})`, (bench) => {
    // What the service makes itself cannot be sent.
    const body = { ...fields, id: "mine", created_at: "never", updated_at: 4 };
    return ask(bench, { tenant, operation: "brands.create", body }, (account, now) => {
      if (typeof fields["name"] !== "string") {
        return { status: 400, error: "Invalid parameter name: expected string" };
      }
      const brand: ModelBrand = { id: "", fields: { ...fields }, createdAt: now, updatedAt: now };
      const take = (id: string) => {
        brand.id = id;
        account.brands.push(brand);
      };
      return {
        status: 201,
        made: { kind: "brand", take },
        check: (data) => same(data, shownBrand(brand), "the brand"),
      };
    });
  });

export const updateBrand = (pick: Place, fields: Fields): Step =>
  step(`updateBrand(${shown(pick)}, ${shown(fields)})`, (bench) => {
    const { tenant, id } = resolve(bench, pick, "brands");
    const body = { ...fields, id: "mine" };
    return ask(bench, { tenant, operation: "brands.update", id, body }, (account, now) => {
      if ("name" in fields && typeof fields["name"] !== "string") {
        return { status: 400, error: "Invalid parameter name: expected string" };
      }
      const brand = account.brands.find((one) => one.id === id);
      if (brand === undefined) return notFound("Brand not found");
      Object.assign(brand.fields, fields);
      brand.updatedAt = now;
      return { status: 200, check: (data) => same(data, shownBrand(brand), "the brand") };
    });
  });

export const deleteBrand = (pick: Place): Step =>
  step(`deleteBrand(${shown(pick)})`, (bench) => {
    const { tenant, id } = resolve(bench, pick, "brands");
    return ask(bench, { tenant, operation: "brands.delete", id }, (account) => {
      const place = account.brands.findIndex((one) => one.id === id);
      if (place === -1) return notFound("Brand not found");
      account.brands.splice(place, 1);
      return { status: 200, check: (data) => same(data, { id, deleted: true }, "the deletion") };
    });
  });

export const listBrands = (tenant: number, limit: number | undefined): Step =>
  step(`listBrands(${tenant}, ${limit})`, (bench) =>
    ask(bench, { tenant, operation: "brands.list", limit }, ({ brands }) => ({
      status: 200,
      check: (data) =>
        same(data, { brands: brands.map(shownBrand).reverse().slice(0, limit) }, "the brands"),
    })),
  );

/** `brand`: a tenant alone sends none. */
export const saveAd = (brand: Place | number, fields: Fields): Step =>
  step(`saveAd(${shown({ brand, fields })})`, (bench) => {
    const picked = typeof brand === "number" ? undefined : resolve(bench, brand, "brands");
    const tenant = picked?.tenant ?? Number(brand);
    const brandId = picked?.id;
    const body = { brand_id: brandId, ...fields, id: "mine", created_at: 4 };
    return ask(bench, { tenant, operation: "savedAds.create", body }, (account, now) => {
      if (brandId === undefined) {
        return { status: 400, error: "Invalid parameter brand_id: expected string" };
      }
      if (!account.brands.some(({ id }) => id === brandId)) return notFound("Brand not found");
      const ad: ModelAd = { id: "", brandId, fields: { ...fields }, createdAt: now };
      const take = (id: string) => {
        ad.id = id;
        account.ads.push(ad);
      };
      return {
        status: 201,
        made: { kind: "ad", take },
        check: (data) => same(data, shownAd(ad), "the ad"),
      };
    });
  });

export const listAds = (pick: Place, limit: number | undefined): Step =>
  step(`listAds(${shown(pick)}, ${limit})`, (bench) => {
    const { tenant, id } = resolve(bench, pick, "brands");
    return ask(bench, { tenant, operation: "brands.listAds", id, limit }, (account) => {
      if (!account.brands.some((brand) => brand.id === id)) return notFound("Brand not found");
      const ads = account.ads.filter(({ brandId }) => brandId === id);
      return {
        status: 200,
        check: (data) =>
          same(data, { ads: ads.map(shownAd).reverse().slice(0, limit) }, "the ads of a brand"),
      };
    });
  });

export const deleteAd = (pick: Place): Step =>
  step(`deleteAd(${shown(pick)})`, (bench) => {
    const { tenant, id } = resolve(bench, pick, "ads");
    return ask(bench, { tenant, operation: "savedAds.delete", id }, (account) => {
      const place = account.ads.findIndex((one) => one.id === id);
      if (place === -1) return notFound("Saved ad not found");
      account.ads.splice(place, 1);
      return { status: 200, check: (data) => same(data, { id, deleted: true }, "the deletion") };
    });
  });

/** Saves a few ads of one brand, and deletes some of them again. */
export const saveAndDelete = (owner: number, count: number, places: readonly number[]): Step => {
  const newest: Place = { owner, place: 0, as: undefined };
  return several("saveAndDelete", [
    createBrand(owner, { name: "Full" }),
    ...Array.from({ length: count }, () => saveAd(newest, {})),
    ...places.map((place) => deleteAd({ owner, place, as: undefined })),
    listAds(newest, undefined),
  ]);
};
