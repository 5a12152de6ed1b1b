import { describe, expect, test } from "vitest";
import { createManualClock } from "../../mocks/index.ts";
import { createAdministered, origin } from "./admin-ask.ts";
import { createAsk } from "./ask.ts";

const ad = { action: "generate-ad", prompt: "Summer sale", variations: 2 };
const timed = () => ({
  clock: createManualClock(),
  timeline: { queuedMs: 10_000, processingMs: 10_000 },
});

describe("accounts", () => {
  test("are removed, and opened under the same key again", async () => {
    const { order, service } = createAdministered();
    await order("POST", "/accounts", { key: "test-new" });
    const twice = await order("POST", "/accounts", { key: "test-new" });
    expect([twice.status, twice.error]).toEqual([
      409,
      'An account has the key "test-new" already; reset or remove that one',
    ]);
    const { data } = await order("DELETE", "/accounts/test-new");
    expect(data.accounts.map(({ key }: { key: string }) => key)).toEqual(["test-key"]);
    expect(service.accounts).toHaveLength(1);
    const gone = await order("DELETE", "/accounts/test-new");
    expect([gone.status, gone.error]).toEqual([404, 'No account has the key "test-new"']);
    expect((await order("POST", "/accounts", { key: "test-new" })).status).toBe(200);
  });

  test("are found by keys with special characters", async () => {
    const key = "test-a%2f?b#c";
    const { order } = createAdministered({ accounts: { [key]: {} } });
    const { data } = await order("GET", `/accounts/${encodeURIComponent(key)}`);
    expect(data.key).toBe(key);
  });
});

describe("jobs", () => {
  test("are the newest of all, however unevenly accounts have them", async () => {
    const keys = Array.from({ length: 20 }, (_, index) => `test-${index}`);
    const { order, service } = createAdministered({
      clock: createManualClock(),
      accounts: Object.fromEntries(keys.map((key) => [key, {}])),
    });
    const ids: string[] = [];
    for (let count = 0; count < 120; count += 1) {
      const key = count % 3 === 0 ? keys[(count * 7) % 20] : "test-3";
      const { data } = await createAsk(service, key)("POST", "/v1/jobs", {
        action: "generate-ad-copy",
      });
      ids.unshift(data.job_id);
      service.clock.advance(1);
    }
    for (const limit of [0, 1, 7, 50, 120, 1000]) {
      const { data } = await order("GET", `/jobs?limit=${limit}`);
      const listed = data.jobs.map((job: { job_id: string }) => job.job_id);
      expect(listed).toEqual(ids.slice(0, limit));
    }
  });

  test("that expire and are gone at once leave a whole envelope", async () => {
    const { order, ask } = createAdministered({ ...timed(), expiry: "not-found" });
    const { data } = await ask("POST", "/v1/jobs", ad);
    const expired = await order("POST", `/jobs/${data.job_id}/expire`, {});
    expect(Object.keys(JSON.parse(expired.text))).toEqual(["success", "data", "error"]);
    expect((await ask("GET", `/v1/jobs/${data.job_id}`)).status).toBe(404);
  });
});

describe("the journal", () => {
  test("is filtered by query, and asked for one entry", async () => {
    const { order, ask } = createAdministered();
    await ask("POST", "/v1/jobs", ad);
    await ask("POST", "/v1/jobs", { ...ad, action: "edit-ad" });
    await ask("GET", "/v1/brands");
    await ask("GET", "/v1/jobs/job_unknown");
    const numbers = async (query: string) => {
      const { data } = await order("GET", `/journal?${query}`);
      return data.entries.map(({ number }: { number: number }) => number);
    };
    expect(await numbers("")).toEqual([1, 2, 3, 4]);
    expect(await numbers("operation=jobs.submit")).toEqual([1, 2]);
    expect(await numbers("action=edit-ad&account=test-key")).toEqual([2]);
    expect(await numbers("status=404")).toEqual([4]);
    expect(await numbers("method=GET&limit=1")).toEqual([4]);
    expect(await numbers("path=/v1/brands")).toEqual([3]);
    expect(await numbers("pathPattern=jobs/job_")).toEqual([4]);
    expect(await numbers("fault=false&limit=0")).toEqual([]);
    expect((await order("GET", "/journal?limit=1")).data.total).toBe(4);
    const { data } = await order("GET", "/journal/1");
    expect(data).toMatchObject({ number: 1, body: ad, answer: { status: 202 } });
    await order("DELETE", "/journal");
    expect(await numbers("")).toEqual([]);
  });
});

describe("artwork", () => {
  test("is served as SVG that runs and fetches nothing", async () => {
    const { ask, admin, service } = createAdministered({ artwork: "served" });
    const { data } = await ask("POST", "/v1/jobs", ad);
    service.jobs.complete(data.job_id);
    const get = (variation: number) =>
      admin.fetch(new Request(`${origin}/__mock/artwork/${data.job_id}/${variation}.svg`));
    const response = await get(2);
    expect(await response.text()).toBe(service.artwork(data.job_id, 2));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/svg+xml",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      "x-content-type-options": "nosniff",
    });
    expect((await get(3)).status).toBe(404);
    expect((await get(0)).status).toBe(404);
  });

  test("stands still when the query has `still`", async () => {
    const { ask, admin, service } = createAdministered({ artwork: "served" });
    const { data } = await ask("POST", "/v1/jobs", { action: "video-a-2", prompt: "a > b" });
    service.jobs.complete(data.job_id);
    const get = async (query: string) => {
      const url = `${origin}/__mock/artwork/${data.job_id}/1.svg${query}`;
      return (await admin.fetch(new Request(url))).text();
    };
    const [moving, still] = [await get(""), await get("?still")];
    expect(moving.match(/<animate/g)?.length).toBeGreaterThan(0);
    expect(still).toBe(moving.replaceAll(/<animate\w* [^/]*\/>/g, ""));
    expect(still).not.toContain("<animate");
  });
});
