import { describe, expect, test } from "vitest";
import { createMockService, type MockAccountOptions } from "../../mocks/index.ts";
import { createAsk } from "./ask.ts";
import { minute, setUp } from "./set-up.ts";

const seeded: MockAccountOptions = {
  credits: { image: { monthly: 3 } },
  brands: [
    { id: "brand_acme", name: "Acme", colors: ["#123456"], look: { tone: "dry" } },
    { name: "No id" },
  ],
  savedAds: [{ id: "ad_1", brand_id: "brand_acme", headline: "Now" }],
  jobs: [
    {
      id: "job_hero",
      action: "generate-ad",
      prompt: "Hero",
      variations: 2,
      brand_id: "brand_acme",
    },
    { id: "job_bad", action: "video-a-2", fail: "moderation" },
    { action: "generate-ad-copy", result: { copy: [] } },
  ],
};

const open = (options: object = {}) => {
  const made = setUp({ accounts: { "test-key": seeded, "test-b": {} }, ...options });
  const get = async (path: string) => (await made.ask("GET", path)).data;
  return { ...made, get };
};

describe("what an account has from its beginning", () => {
  test("is there by its ids, has cost nothing, and is counted", async () => {
    const { account, get, poll } = open();
    const { brands } = await get("/v1/brands");
    expect(brands).toMatchObject([{ name: "No id" }, { id: "brand_acme", look: { tone: "dry" } }]);
    expect((await get("/v1/brands/brand_acme/ads")).ads).toMatchObject([{ headline: "Now" }]);
    const { data } = await poll("job_hero");
    expect(data).toMatchObject({ status: "completed", action: "generate-ad" });
    expect(data.result.images).toHaveLength(2);
    expect((await poll("job_bad")).data).toMatchObject({ status: "failed", error: "moderation" });
    expect((await get("/v1/jobs")).jobs[0]).toMatchObject({ result: { copy: [] } });
    expect(account.credits.image).toEqual({ monthly: 3, purchased: 0 });
    expect([account.charges, account.jobs.count]).toEqual([[], 3]);
  });

  test("has no job whose id another account has, because the address of a picture names a job", () => {
    const jobs = [{ id: "job_hero", action: "generate-ad" }] as const;
    const message = 'account "test-b" must have jobs with ids of its own; "job_hero" is taken';
    expect(() => open({ accounts: { "test-key": { jobs }, "test-b": { jobs } } })).toThrow(message);
    const { service } = open();
    expect(() => service.addAccount("test-c", { jobs })).toThrow(message.replace("-b", "-c"));
    service.removeAccount("test-key");
    expect(service.addAccount("test-c", { jobs }).jobs.count).toBe(1);
    service.account("test-c").reset();
    expect(service.account("test-c").jobs.count).toBe(1);
  });

  test("goes on like what clients made: it is used, changed and deleted, and no id comes twice", async () => {
    const { ask, submit, service } = open();
    expect((await ask("PATCH", "/v1/brands/brand_acme", { name: "New" })).status).toBe(200);
    await submit({ brand_id: "brand_acme" });
    expect((await ask("DELETE", "/v1/saved-ads/ad_1")).status).toBe(200);
    expect(await ask("POST", "/v1/brands", { name: "One more" })).toMatchObject({ status: 201 });
    const { brands, jobs } = service.account("test-key");
    expect(new Set(brands.map(({ id }) => id)).size).toBe(3);
    expect(new Set(jobs.all.map(({ job_id }) => job_id)).size).toBe(4);
  });

  test("is there again after each reset, in an account that was added as well", async () => {
    const { service, ask } = open();
    service.addAccount("test-late", { brands: [{ id: "late", name: "Late" }] });
    const late = createAsk(service, "test-late");
    for (const again of [() => service.account("test-key").reset(), () => service.reset()]) {
      await ask("DELETE", "/v1/brands/brand_acme");
      again();
      expect(service.account("test-key").brands.at(-1)).toMatchObject({ id: "brand_acme" });
    }
    service.addAccount("test-late", { brands: [{ id: "late", name: "Late" }] });
    await late("DELETE", "/v1/brands/late");
    service.account("test-late").reset();
    expect(service.account("test-late").brands).toMatchObject([{ id: "late" }]);
  });

  test("expires like any other job", async () => {
    const { clock, poll } = open({ expiry: "all-not-found" });
    clock.advance(31 * minute);
    expect((await poll("job_hero")).status).toBe(404);
  });

  test("shares nothing with the objects that it was given as", async () => {
    const colors = ["#123456"];
    const brands = [{ id: "brand_acme", name: "Acme", colors }];
    const service = createMockService({ accounts: { "test-key": { brands } } });
    colors.push("#654321");
    service.reset();
    expect(service.account("test-key").brands).toMatchObject([{ colors: ["#123456"] }]);
  });

  test.each([
    [{ brands: {} }, "brands must be a list"],
    [{ brands: [{ id: "a" }] }, "brands[0].name must be text; it is missing"],
    [{ brands: [{ id: "a/b", name: "x" }] }, "brands[0].id must be 1 to 200 letters, digits and"],
    [
      {
        brands: [
          { id: "a", name: "x" },
          { id: "a", name: "y" },
        ],
      },
      "brands must be a list without two things of the same id",
    ],
    [{ brands: [{ name: "x", deep: () => 1, big: 1n }] }, "brands[0] must be JSON, at most 64"],
    [
      { savedAds: [{ brand_id: "none" }] },
      'savedAds[0].brand_id must be the id of one of the account\'s brands; it is "none"',
    ],
    [
      { jobs: [{ action: "edit-ad", brand_id: "none" }] },
      "jobs[0].brand_id must be the id of one of the account's brands",
    ],
    [{ jobs: [{ action: "edit" }] }, "jobs[0].action must be one of copy-ad, "],
    [{ jobs: [{ action: "edit-ad", status: "queued" }] }, 'jobs[0] has no field "status"; it has'],
    [
      { jobs: [{ action: "edit-ad", variations: 11 }] },
      "jobs[0].variations must be a whole number",
    ],
    [
      { jobs: [{ action: "edit-ad", fail: "x", result: 1 }] },
      "jobs[0] must be a failure or a result",
    ],
  ])("is refused with its place: %#", (options, message) => {
    const make = () => createMockService({ accounts: { "test-key": options as never } });
    expect(make).toThrow(`The mock's accounts["test-key"].${message}`);
  });
});
