import { ask, type Bench, type Expected, keyOf, same } from "./bench.ts";
import { invalid, notFound, type Place, resolve, type Step, shown, step } from "./steps.ts";
import type { ModelAccount, Thing } from "./world.ts";

const written = (ms: number): string => new Date(ms).toISOString();

const show = ({ id, brandId, fields, createdAt, updatedAt }: Thing) => ({
  id,
  created_at: written(createdAt),
  ...(updatedAt !== undefined && { updated_at: written(updatedAt) }),
  ...(brandId !== undefined && { brand_id: brandId }),
  ...fields,
});

export type Fields = Readonly<Record<string, unknown>>;

/** What the service makes itself cannot be sent. */
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

export const createBrand = (tenant: number, fields: Fields): Step =>
  step(`createBrand(${tenant}, ${shown(fields)})`, (bench) => {
    const body = { ...fields, ...own, updated_at: 4 };
    return ask(bench, { tenant, operation: "brands.create", body }, (account, now) => {
      if (typeof fields["name"] !== "string") return invalid("name", "string");
      return make(account, "brand", { fields: { ...fields }, createdAt: now, updatedAt: now });
    });
  });

export const updateBrand = (place: Place, fields: Fields): Step =>
  step(`updateBrand(${shown(place)}, ${shown(fields)})`, (bench) => {
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
  });

/** `brand`: a tenant alone sends none. */
export const saveAd = (brand: Place | number, fields: Fields): Step =>
  step(`saveAd(${shown({ brand, fields })})`, (bench) => {
    const place = typeof brand === "number" ? undefined : resolve(bench, brand, "brands");
    const tenant = place?.tenant ?? Number(brand);
    const brandId = place?.id;
    const body = { brand_id: brandId, ...fields, ...own };
    return ask(bench, { tenant, operation: "savedAds.create", body }, (account, now) => {
      if (brandId === undefined) return invalid("brand_id", "string");
      if (!account.brands.some(({ id }) => id === brandId)) return notFound("Brand not found");
      return make(account, "ad", { brandId, fields: { ...fields }, createdAt: now });
    });
  });

export const listBrands = (tenant: number, limit: number | undefined): Step =>
  step(`listBrands(${tenant}, ${limit})`, (bench) =>
    ask(bench, { tenant, operation: "brands.list", limit }, ({ brands }) => ({
      status: 200,
      check: (data) =>
        same(data, { brands: brands.map(show).reverse().slice(0, limit) }, "the brands"),
    })),
  );

const askForAds = (bench: Bench, place: Place, limit: number | undefined): Promise<void> => {
  const { tenant, id } = resolve(bench, place, "brands");
  return ask(bench, { tenant, operation: "brands.listAds", id, limit }, (account) => {
    if (!account.brands.some((brand) => brand.id === id)) return notFound("Brand not found");
    const ads = account.ads.filter(({ brandId }) => brandId === id).map(show);
    const check = (data: unknown) =>
      same(data, { ads: ads.reverse().slice(0, limit) }, "the ads of a brand");
    return { status: 200, check };
  });
};

export const listAds = (place: Place, limit: number | undefined): Step =>
  step(`listAds(${shown(place)}, ${limit})`, (bench) => askForAds(bench, place, limit));

/** Deletes one thing, or several, and lists the ads of the newest brand. */
export const remove = (kind: "brands" | "ads", places: readonly Place[]): Step =>
  step(`remove(${kind}, ${shown(places)})`, async (bench) => {
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
    const { brands } = bench.service.account(keyOf(owner));
    if (brands.length > 0) await askForAds(bench, { owner, place: 0, as: undefined }, undefined);
  });
