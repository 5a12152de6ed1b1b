import { accountAt, ask, type Bench, type Expected, same } from "./bench.ts";
import { invalid, notFound, type Place, resolve } from "./steps.ts";
import { type ModelAccount, show, type Thing } from "./world.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** The service makes these itself: they cannot be sent. */
const own = { id: "mine", created_at: "never" };

const make = (account: ModelAccount, kind: "brand" | "ad", made: Omit<Thing, "id">): Expected => {
  const thing: Thing = { id: "", ...made };
  const take = (id: string) => {
    thing.id = id;
    account[`${kind}s`].push(thing);
  };
  const check = (data: unknown) => same(data, show(thing), `the ${kind}`);
  return { status: 201, made: { kind, take }, check };
};

export const createBrand = (bench: Bench, tenant: number, fields: Fields) => {
  const body = { ...fields, ...own, updated_at: 4 };
  return ask(bench, { tenant, operation: "brands.create", body }, (account, now) => {
    if (typeof fields["name"] !== "string") return invalid("name", "string");
    return make(account, "brand", { fields: { ...fields }, createdAt: now, updatedAt: now });
  });
};

export const updateBrand = (bench: Bench, place: Place, fields: Fields) => {
  const { tenant, id } = resolve(bench, place, "brands");
  const body = { ...fields, ...own };
  return ask(bench, { tenant, operation: "brands.update", id, body }, (account, now) => {
    if (typeof (fields["name"] ?? "") !== "string") return invalid("name", "string");
    const brand = account.brands.find((one) => one.id === id);
    if (brand === undefined) return notFound("Brand not found");
    Object.assign(brand.fields, fields);
    brand.updatedAt = now;
    return { status: 200, check: (data) => same(data, show(brand), "the brand") };
  });
};

/** `brand`: a tenant alone sends none. */
export const saveAd = (bench: Bench, brand: Place | number, fields: Fields) => {
  const place = typeof brand === "number" ? undefined : resolve(bench, brand, "brands");
  const tenant = place?.tenant ?? Number(brand);
  const brandId = place?.id;
  const body = { brand_id: brandId, ...fields, ...own };
  return ask(bench, { tenant, operation: "savedAds.create", body }, (account, now) => {
    if (brandId === undefined) return invalid("brand_id", "string");
    if (!account.brands.some(({ id }) => id === brandId)) return notFound("Brand not found");
    return make(account, "ad", { brandId, fields: { ...fields }, createdAt: now });
  });
};

export const listBrands = (bench: Bench, tenant: number, limit: number | undefined) =>
  ask(bench, { tenant, operation: "brands.list", limit }, ({ brands }) => {
    const expected = { brands: brands.map(show).reverse().slice(0, limit) };
    return { status: 200, check: (data) => same(data, expected, "the brands") };
  });

export const listAds = (bench: Bench, place: Place, limit: number | undefined) => {
  const { tenant, id } = resolve(bench, place, "brands");
  return ask(bench, { tenant, operation: "brands.listAds", id, limit }, (account) => {
    if (!account.brands.some((brand) => brand.id === id)) return notFound("Brand not found");
    const ads = account.ads.filter(({ brandId }) => brandId === id).map(show);
    const expected = { ads: ads.reverse().slice(0, limit) };
    return { status: 200, check: (data) => same(data, expected, "the ads of a brand") };
  });
};

/** Deletes one thing, or several, and lists the ads of each brand. */
export const remove = async (bench: Bench, kind: "brands" | "ads", places: readonly Place[]) => {
  const operation = kind === "brands" ? "brands.delete" : "savedAds.delete";
  for (const place of places) {
    const { tenant, id } = resolve(bench, place, kind);
    await ask(bench, { tenant, operation, id }, (account) => {
      const at = account[kind].findIndex((one) => one.id === id);
      if (at < 0) return notFound(kind === "ads" ? "Saved ad not found" : "Brand not found");
      account[kind].splice(at, 1);
      return { status: 200, check: (data) => same(data, { id, deleted: true }, "the deletion") };
    });
  }
  const owner = places[0]?.owner ?? 0;
  for (const place of accountAt(bench, owner).brands.keys()) {
    await listAds(bench, { owner, place, as: undefined }, undefined);
  }
};
