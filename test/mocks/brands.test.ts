import { describe, expect, test } from "vitest";
import { createManualClock, createMockService } from "../../mocks/index.ts";
import { createAsk, failure, read } from "./ask.ts";

const setUp = () => {
  const clock = createManualClock(Date.UTC(2026, 0, 1));
  const service = createMockService({ clock });
  return { clock, service, ask: createAsk(service) };
};

const invalidName = "Invalid parameter name: expected string";
const start = "2026-01-01T00:00:00.000Z";

describe("brands", () => {
  test("are created with 201 and all fields of the request", async () => {
    const { ask } = setUp();
    const { status, data } = await ask("POST", "/v1/brands", { name: "Acme", colors: ["#f00"] });
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.stringMatching(/^brand_[0-9a-z]{14}$/),
      name: "Acme",
      colors: ["#f00"],
      created_at: start,
      updated_at: start,
    });
  });

  test("get their id and timestamps from the service alone", async () => {
    const { ask } = setUp();
    const own = { id: "mine", created_at: "never", updated_at: 4 };
    const { data } = await ask("POST", "/v1/brands", { name: "Acme", ...own });
    expect(data).toMatchObject({ created_at: start, updated_at: start });
    expect(data.id).toMatch(/^brand_/);
    const updated = await ask("PATCH", `/v1/brands/${data.id}`, own);
    expect(updated.data).toEqual(data);
  });

  test.each([
    [{}, invalidName],
    [{ name: null }, invalidName],
    [{ name: 5 }, invalidName],
  ])("are refused as %j, for they need a name", async (body, message) => {
    const { ask } = setUp();
    const { status, text } = await ask("POST", "/v1/brands", body);
    expect(status).toBe(400);
    expect(text).toBe(failure(message));
    expect((await ask("GET", "/v1/brands")).data).toEqual({ brands: [] });
  });

  test("are changed in the fields that are sent", async () => {
    const { ask, clock } = setUp();
    const { data: brand } = await ask("POST", "/v1/brands", { name: "Acme", tone: "dry" });
    clock.advance(1_000);
    const { status, data } = await ask("PATCH", `/v1/brands/${brand.id}`, { tone: "warm" });
    expect(status).toBe(200);
    expect(data).toEqual({ ...brand, tone: "warm", updated_at: "2026-01-01T00:00:01.000Z" });
    expect((await ask("GET", "/v1/brands")).data).toEqual({ brands: [data] });
  });

  test("are not changed by a body that is refused", async () => {
    const { ask } = setUp();
    const { data: brand } = await ask("POST", "/v1/brands", { name: "Acme" });
    const { status, text } = await ask("PATCH", `/v1/brands/${brand.id}`, { name: 5, tone: "x" });
    expect(status).toBe(400);
    expect(text).toBe(failure(invalidName));
    expect((await ask("GET", "/v1/brands")).data.brands).toEqual([brand]);
  });

  test("are deleted once", async () => {
    const { ask } = setUp();
    const { data: brand } = await ask("POST", "/v1/brands", { name: "Acme" });
    const { status, text } = await ask("DELETE", `/v1/brands/${brand.id}`);
    expect(status).toBe(200);
    expect(text).toBe(`{"success":true,"data":{"id":"${brand.id}","deleted":true},"error":null}`);
    expect((await ask("GET", "/v1/brands")).data).toEqual({ brands: [] });
    for (const [method, path] of [
      ["DELETE", `/v1/brands/${brand.id}`],
      ["PATCH", `/v1/brands/${brand.id}`],
      ["GET", `/v1/brands/${brand.id}/ads`],
    ] as const) {
      const again = await ask(method, path, method === "PATCH" ? {} : undefined);
      expect(again.status).toBe(404);
      expect(again.text).toBe(failure("Brand not found"));
    }
  });

  test("have their body checked before their id", async () => {
    const { ask } = setUp();
    expect((await ask("PATCH", "/v1/brands/unknown", { name: 5 })).status).toBe(400);
    expect((await ask("PATCH", "/v1/brands/unknown", { name: "x" })).status).toBe(404);
  });

  test("are listed newest first, up to the limit, after deletions too", async () => {
    const { ask } = setUp();
    const ids: string[] = [];
    for (let count = 0; count < 9; count += 1) {
      ids.unshift((await ask("POST", "/v1/brands", { name: `${count}` })).data.id);
    }
    const listed = async (query = "") =>
      (await ask("GET", `/v1/brands${query}`)).data.brands.map(({ id }: { id: string }) => id);
    for (const gone of [1, 3, 0, 2, 7]) {
      await ask("DELETE", `/v1/brands/${ids[gone]}`);
    }
    const left = [4, 5, 6, 8].map((place) => ids[place]);
    expect(await listed()).toEqual(left);
    expect(await listed("?limit=2")).toEqual(left.slice(0, 2));
    await ask("PATCH", `/v1/brands/${ids[4]}`, { name: "changed" });
    const newest = (await ask("POST", "/v1/brands", { name: "new" })).data.id;
    expect(await listed()).toEqual([newest, ...left]);
    await ask("DELETE", `/v1/brands/${ids[5]}`);
    expect(await listed()).toEqual([newest, ids[4], ids[6], ids[8]]);
    expect((await ask("GET", "/v1/brands?limit=x")).status).toBe(400);
  });

  test("keep a prototype key as plain data", async () => {
    const { service } = setUp();
    const headers = { authorization: "Bearer test-key" };
    const body = '{"name":"Acme","__proto__":{"polluted":true}}';
    const created = await read(
      await service.fetch("https://ads.test/v1/brands", { method: "POST", headers, body }),
    );
    expect(created.text).toContain('"__proto__":{"polluted":true}');
    expect(created.data.polluted).toBeUndefined();
    expect(({} as { polluted?: true }).polluted).toBeUndefined();
  });
});
