import { expect, test } from "vitest";
import { createManualClock, createMockService } from "../../mocks/index.ts";
import { createAsk, read } from "./ask.ts";

const start = "2026-01-01T00:00:00.000Z";

test("brands and saved ads get their ids and times from the service alone", async () => {
  const ask = createAsk(createMockService({ clock: createManualClock(Date.parse(start)) }));
  const own = { id: "mine", created_at: "never", updated_at: 4 };
  const { data: brand } = await ask("POST", "/v1/brands", { name: "Acme", ...own });
  const id = expect.stringMatching(/^brand_[0-9a-z]{14}$/);
  expect(brand).toEqual({ id, name: "Acme", created_at: start, updated_at: start });
  expect((await ask("PATCH", `/v1/brands/${brand.id}`, own)).data).toEqual(brand);
  const ad = { brand_id: brand.id, url: "data:,", updated_at: 4 };
  expect((await ask("POST", "/v1/saved-ads", { ...own, ...ad })).data).toMatchObject({
    id: expect.stringMatching(/^ad_[0-9a-z]{14}$/),
    brand_id: brand.id,
    url: "data:,",
    created_at: start,
  });
});

test("a brand keeps a prototype key as plain data", async () => {
  const init = {
    method: "POST",
    headers: { authorization: "Bearer test-key" },
    body: '{"name":"Acme","__proto__":{"polluted":true}}',
  };
  const created = await read(await createMockService().fetch("https://ads.test/v1/brands", init));
  expect(created.text).toContain('"__proto__":{"polluted":true}');
  expect(created.data.polluted).toBeUndefined();
  expect(({} as { polluted?: true }).polluted).toBeUndefined();
});
