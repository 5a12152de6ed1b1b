import { describe, expect, test } from "vitest";
import { createManualClock } from "../../mocks/index.ts";
import { processorMsOf } from "../helpers/processor-time.ts";
import { createAdministered, origin } from "./admin-ask.ts";
import { createAsk } from "./ask.ts";

describe("the overview", () => {
  const look = (admin: ReturnType<typeof createAdministered>["admin"], etag?: string) =>
    admin.fetch(
      new Request(`${origin}/__mock/state`, {
        headers: etag === undefined ? {} : { "if-none-match": etag },
      }),
    );

  test("is not sent again while nothing but the time changes", async () => {
    const { admin, ask, service } = createAdministered({
      timeline: { queuedMs: 5_000, processingMs: 5_000 },
    });
    await ask("POST", "/v1/jobs", { action: "generate-ad" });
    const first = await look(admin);
    const etag = first.headers.get("etag") ?? "";
    service.clock.advance(2_000);
    const second = await look(admin, etag);
    expect([second.status, await second.text()]).toEqual([304, ""]);
    expect(Number(second.headers.get("x-mock-now"))).toBeGreaterThanOrEqual(
      Number(first.headers.get("x-mock-now")) + 2_000,
    );
    service.clock.advance(5_000);
    const third = await look(admin, etag);
    expect(third.status).toBe(200);
    expect((await third.json()).data.jobs.items[0].status).toBe("processing");
  });

  test("shows a slice of 20,000 jobs, with their number, without keeping anybody waiting", async () => {
    const { admin, ask } = createAdministered({
      clock: createManualClock(),
      accounts: { "test-key": { credits: { image: { purchased: 1_000_000 } } } },
      journalLimit: 100,
    });
    for (let count = 0; count < 20_000; count += 1) {
      await ask("POST", "/v1/jobs", { action: "generate-ad", variations: 10 });
    }
    let text = "";
    const looks: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      const read = async () => {
        text = await (await look(admin)).text();
      };
      looks.push(await processorMsOf(read));
    }
    const { data } = JSON.parse(text);
    expect(data.jobs.total).toBe(20_000);
    expect(data.jobs.counts).toEqual({ queued: 20_000, processing: 0, completed: 0, failed: 0 });
    expect(data.jobs.items).toHaveLength(8);
    expect(data.journal.items.length).toBeLessThanOrEqual(50);
    expect(text.length).toBeLessThan(100_000);
    expect(Math.min(...looks)).toBeLessThan(100);
  });

  test("stays small with 120 accounts, 5,000 jobs, and long brands in each account", async () => {
    const keys = Array.from({ length: 120 }, (_, index) => `test-${index}`);
    const { admin, service } = createAdministered({
      clock: createManualClock(),
      accounts: Object.fromEntries(keys.map((key) => [key, {}])),
      journalLimit: 100,
    });
    const asks = keys.map((key) => createAsk(service, key));
    for (const ask of asks) {
      for (let count = 0; count < 24; count += 1) {
        await ask("POST", "/v1/brands", { name: "Acme", voice: "x".repeat(1_200) });
      }
    }
    for (let count = 0; count < 5_000; count += 1) {
      const body = { action: "generate-ad-copy", prompt: "y".repeat(500) };
      await asks[count % asks.length]?.("POST", "/v1/jobs", body);
    }
    const text = await (await look(admin)).text();
    const { data } = JSON.parse(text);
    expect(data.jobs.total).toBe(5_000);
    expect(data.accounts.total).toBe(120);
    expect(data.brands.total).toBe(24 * 120);
    expect(text.length).toBeLessThan(60_000);
  });

  test("keeps the newest jobs of each state, however many are newer", async () => {
    const { admin, ask, service } = createAdministered({
      clock: createManualClock(),
      timeline: { queuedMs: 1_000, processingMs: 1_000 },
    });
    const submit = () => ask("POST", "/v1/jobs", { action: "generate-ad-copy" });
    for (let count = 0; count < 3; count += 1) await submit();
    service.clock.advance(2_000);
    for (let count = 0; count < 3; count += 1) await submit();
    service.clock.advance(1_000);
    for (let count = 0; count < 100; count += 1) await submit();
    const { data } = await (await look(admin)).json();
    expect(data.jobs.counts).toEqual({ queued: 100, processing: 3, completed: 3, failed: 0 });
    const statuses = data.jobs.items.map(({ status }: { status: string }) => status);
    expect(statuses.filter((status: string) => status !== "queued")).toEqual([
      ...["processing", "processing", "processing", "completed", "completed", "completed"],
    ]);
  });

  test("points to pictures of its own only", async () => {
    const { admin, ask, service } = createAdministered({ clock: createManualClock() });
    const { data: inline } = await ask("POST", "/v1/jobs", { action: "video-a-2", duration: 4 });
    const { data: foreign } = await ask("POST", "/v1/jobs", { action: "generate-ad" });
    service.jobs.complete(inline.job_id);
    service.jobs.complete(foreign.job_id, { images: [{ url: "https://cdn.test/a.png" }, null] });
    const { data } = await (await look(admin)).json();
    const place = `/__mock/artwork/${inline.job_id}/1`;
    expect(data.jobs.items.map(({ made }: { made: unknown }) => made)).toEqual([
      { images: [{ elsewhere: "https://cdn.test/a.png" }, { elsewhere: "" }] },
      { videos: [{ src: `${place}.svg`, video: `${place}.mp4`, seconds: 4 }] },
    ]);
  });

  test("names accounts in the journal by their keys, and strangers masked", async () => {
    const { admin, ask, service } = createAdministered();
    await ask("GET", "/v1/jobs");
    await service.fetch(`${origin}/v1/jobs`, {
      headers: { authorization: "Bearer test-stranger" },
    });
    const { data } = await (await look(admin)).json();
    const [stranger, known] = data.journal.items;
    expect(known.account).toBe("test-key");
    expect(stranger.account).not.toContain("stranger");
  });

  test("has no bodies, however large they are", async () => {
    const { admin, ask, service } = createAdministered();
    const long = "x".repeat(100_000);
    await ask("POST", "/v1/brands", { name: long, deep: [[[[[[[[long]]]]]]]] });
    await ask("POST", "/v1/jobs", { action: "generate-ad-copy", prompt: long });
    const { data } = await ask("GET", "/v1/jobs");
    service.jobs.fail(data.jobs[0].job_id, long);
    const { data: other } = await ask("POST", "/v1/jobs", { action: "generate-ad-copy" });
    service.jobs.complete(other.job_id, { copy: [{ headline: long, [long]: long }] });
    await ask("GET", `/v1/jobs/${long.slice(0, 2_000)}`);
    expect((await (await look(admin)).text()).length).toBeLessThan(10_000);
  });
});

describe("the page", () => {
  const { admin, ask } = createAdministered();
  const get = (path: string, headers: Record<string, string> = {}) =>
    admin.fetch(new Request(`${origin}/__mock/${path}`, { headers }));

  test("allows its own files and nothing else", async () => {
    const { headers } = await get("");
    expect(headers.get("content-security-policy")?.split("; ")).toEqual([
      "default-src 'none'",
      "img-src 'self' data:",
      "media-src 'self' data:",
      "style-src 'self'",
      "script-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  test("names no other address, and no style, script or handler in its markup", async () => {
    const html = await (await get("")).text();
    const addresses = new Set(html.match(/(?:https?:)?\/\/[\w.-]+(?::\d+)?/g));
    expect([...addresses]).toEqual(["http://www.w3.org", origin]);
    expect(html).not.toMatch(/\sstyle=|\son\w+=|<style|<script>/);
    const files = [...html.matchAll(/(?:src|href)="(\/__mock\/\w+\.(?:js|css))"/g)];
    expect(files.map(([, path]) => path)).toEqual([
      "/__mock/page.css",
      "/__mock/idiomorph.js",
      "/__mock/live.js",
    ]);
  });

  test.each([
    ["page.css", "text/css; charset=utf-8"],
    ["live.js", "text/javascript; charset=utf-8"],
    ["idiomorph.js", "text/javascript; charset=utf-8"],
  ])("serves %s as %s, and not again to a browser that has it", async (path, type) => {
    const first = await get(path);
    expect(first.status).toBe(200);
    expect(first.headers.get("content-type")).toBe(type);
    expect(first.headers.get("x-content-type-options")).toBe("nosniff");
    const again = await get(path, { "if-none-match": first.headers.get("etag") ?? "" });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  test("sends its body again only when the state has changed, or when another entry is opened", async () => {
    const first = await get("body");
    const etag = { "if-none-match": first.headers.get("etag") ?? "" };
    expect((await get("body", etag)).status).toBe(304);
    expect((await get("body?entry=1", etag)).status).toBe(200);
    await ask("POST", "/v1/jobs", { action: "generate-ad" });
    const next = await get("body", etag);
    expect(next.status).toBe(200);
    expect(await next.text()).toContain("generate-ad");
    expect(Number(next.headers.get("x-mock-now"))).toBeGreaterThan(0);
  });

  test("comes whole, without a script that has to run first", async () => {
    const html = await (await get("")).text();
    const [, etag = ""] = /<body data-etag="([^ ]+)">/.exec(html) ?? [];
    expect(etag).not.toBe("");
    const { headers } = await get("body");
    expect(etag.replaceAll("&quot;", '"')).toBe(headers.get("etag"));
    expect(html).toContain("/v1/jobs");
  });

  test("refuses other methods", async () => {
    const response = await admin.fetch(new Request(`${origin}/__mock/body`, { method: "DELETE" }));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });
});
