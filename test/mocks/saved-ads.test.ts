import { describe, expect, test } from "vitest";
import { createManualClock, createMockService } from "../../mocks/index.ts";
import { createAsk, failure } from "./ask.ts";

const setUp = async () => {
  const service = createMockService({ clock: createManualClock(Date.UTC(2026, 0, 1)) });
  const ask = createAsk(service);
  const brandId: string = (await ask("POST", "/v1/brands", { name: "Acme" })).data.id;
  const save = async (fields: object = {}): Promise<string> =>
    (await ask("POST", "/v1/saved-ads", { brand_id: brandId, ...fields })).data.id;
  return { ask, brandId, save };
};

describe("saved ads", () => {
  test("are saved to a brand with 201 and all fields of the request", async () => {
    const { ask, brandId } = await setUp();
    const sent = { brand_id: brandId, url: "data:,", id: "mine", created_at: 1 };
    const { status, data } = await ask("POST", "/v1/saved-ads", sent);
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.stringMatching(/^ad_[0-9a-z]{14}$/),
      brand_id: brandId,
      url: "data:,",
      created_at: "2026-01-01T00:00:00.000Z",
    });
    expect((await ask("GET", `/v1/brands/${brandId}/ads`)).data).toEqual({ ads: [data] });
  });

  test.each([{}, { brand_id: 5 }, { brand_id: null }])("are refused as %j", async (body) => {
    const { ask } = await setUp();
    const { status, text } = await ask("POST", "/v1/saved-ads", body);
    expect(status).toBe(400);
    expect(text).toBe(failure("Invalid parameter brand_id: expected string"));
  });

  test("need a brand that is there", async () => {
    const { ask } = await setUp();
    const { status, text } = await ask("POST", "/v1/saved-ads", { brand_id: "brand_unknown" });
    expect(status).toBe(404);
    expect(text).toBe(failure("Brand not found"));
  });

  test("are listed newest first, up to the limit, and with their own brand only", async () => {
    const { ask, brandId, save } = await setUp();
    const other = (await ask("POST", "/v1/brands", { name: "Other" })).data.id;
    const [first, second] = [await save(), await save()];
    const third = await save({ brand_id: other });
    const listed = async (brand: string, query = "") =>
      (await ask("GET", `/v1/brands/${brand}/ads${query}`)).data.ads.map(
        ({ id }: { id: string }) => id,
      );
    expect(await listed(brandId)).toEqual([second, first]);
    expect(await listed(brandId, "?limit=1")).toEqual([second]);
    expect(await listed(other)).toEqual([third]);
    expect((await ask("GET", `/v1/brands/${brandId}/ads?limit=0`)).status).toBe(400);
  });

  test("are deleted once", async () => {
    const { ask, brandId, save } = await setUp();
    const [id, kept] = [await save(), await save()];
    const { status, data } = await ask("DELETE", `/v1/saved-ads/${id}`);
    expect(status).toBe(200);
    expect(data).toEqual({ id, deleted: true });
    expect((await ask("GET", `/v1/brands/${brandId}/ads`)).data.ads).toMatchObject([{ id: kept }]);
    const again = await ask("DELETE", `/v1/saved-ads/${id}`);
    expect(again.status).toBe(404);
    expect(again.text).toBe(failure("Saved ad not found"));
  });

  test("of a deleted brand can still be deleted, but not listed", async () => {
    const { ask, brandId, save } = await setUp();
    const id = await save();
    await ask("DELETE", `/v1/brands/${brandId}`);
    expect((await ask("GET", `/v1/brands/${brandId}/ads`)).status).toBe(404);
    expect((await ask("DELETE", `/v1/saved-ads/${id}`)).data).toEqual({ id, deleted: true });
  });
});
