import { describe, expect, test } from "vitest";
import { createAdmin } from "../../mocks/faces/server/admin/admin.ts";
import { createManualClock, createMockService } from "../../mocks/index.ts";
import { processorMsOf } from "../helpers/processor-time.ts";
import { type Administered, createAdministered, origin } from "./admin-ask.ts";
import { createAsk } from "./ask.ts";

/** Asks for a path below `/__mock/`, as a browser that has an answer already; gives the next one. */
const get = async ({ admin }: Pick<Administered, "admin">, path: string, known?: Response) => {
  const etag = known?.headers.get("etag");
  const headers: HeadersInit = known === undefined ? {} : { "if-none-match": etag ?? "none" };
  return admin.fetch(new Request(`${origin}/__mock/${path}`, { headers }));
};

const timeIn = ({ headers }: Response): number => Number(headers.get("x-mock-now"));

const timed = () => ({
  clock: createManualClock(),
  timeline: { queuedMs: 5_000, processingMs: 5_000 },
});

const copy = { action: "generate-ad-copy" };

describe("the overview", () => {
  test("is not sent again while nothing but the time changes", async () => {
    const administered = createAdministered(timed());
    const { ask, service } = administered;
    await ask("POST", "/v1/jobs", { action: "generate-ad" });
    const first = await get(administered, "state");
    service.clock.advance(2_000);
    const second = await get(administered, "state", first);
    expect([second.status, await second.text()]).toEqual([304, ""]);
    expect(timeIn(second)).toBe(timeIn(first) + 2_000);
    service.clock.advance(5_000);
    const third = await get(administered, "state", first);
    expect(third.status).toBe(200);
    expect((await third.json()).data.jobs.items[0].status).toBe("processing");
  });

  test("stays small and quick with 120 accounts, 20,000 jobs, and long brands and prompts", async () => {
    const keys = Array.from({ length: 120 }, (_, index) => `test-${index}`);
    const administered = createAdministered({
      clock: createManualClock(),
      accounts: Object.fromEntries(keys.map((key) => [key, {}])),
      journalLimit: 100,
    });
    const asks = keys.map((key) => createAsk(administered.service, key));
    const prompt = "y".repeat(500);
    for (const ask of asks) {
      for (let count = 0; count < 24; count += 1) {
        await ask("POST", "/v1/brands", { name: "Acme", voice: "x".repeat(1_200) });
      }
    }
    for (let count = 0; count < 20_000; count += 1) {
      await asks[count % asks.length]?.("POST", "/v1/jobs", { ...copy, prompt });
    }
    let text = "";
    const looks: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      const read = async () => {
        text = await (await get(administered, "state")).text();
      };
      looks.push(await processorMsOf(read));
    }
    const { jobs, accounts, brands, journal } = JSON.parse(text).data;
    expect([jobs.total, accounts.total, brands.total]).toEqual([20_000, 120, 24 * 120]);
    expect(jobs.counts).toEqual({ queued: 20_000, processing: 0, completed: 0, failed: 0 });
    expect(jobs.items).toHaveLength(8);
    expect(journal.items).toHaveLength(50);
    expect(text.length).toBeLessThan(60_000);
    expect(Math.min(...looks)).toBeLessThan(100);
  });

  test("keeps the newest jobs of each state, however many are newer", async () => {
    const administered = createAdministered(timed());
    const { ask, service } = administered;
    const submit = async (count: number) => {
      for (let job = 0; job < count; job += 1) await ask("POST", "/v1/jobs", copy);
    };
    await submit(3);
    service.clock.advance(10_000);
    await submit(3);
    service.clock.advance(5_000);
    await submit(100);
    const { jobs } = (await (await get(administered, "state")).json()).data;
    expect(jobs.counts).toEqual({ queued: 100, processing: 3, completed: 3, failed: 0 });
    const statuses = jobs.items.map(({ status }: { status: string }) => status);
    expect(statuses.filter((status: string) => status !== "queued")).toEqual([
      ...["processing", "processing", "processing", "completed", "completed", "completed"],
    ]);
  });

  test("points to pictures of its own only", async () => {
    const administered = createAdministered({ clock: createManualClock() });
    const { ask, service } = administered;
    const { data: inline } = await ask("POST", "/v1/jobs", { action: "video-a-2", duration: 4 });
    const { data: foreign } = await ask("POST", "/v1/jobs", { action: "generate-ad" });
    service.jobs.complete(inline.job_id);
    service.jobs.complete(foreign.job_id, { images: [{ url: "https://cdn.test/a.png" }, null] });
    const { jobs } = (await (await get(administered, "state")).json()).data;
    const place = `/__mock/artwork/${inline.job_id}/1`;
    expect(jobs.items.map(({ made }: { made: unknown }) => made)).toEqual([
      { images: [{ elsewhere: "https://cdn.test/a.png" }, { elsewhere: "" }] },
      { videos: [{ src: `${place}.svg`, video: `${place}.mp4`, seconds: 4 }] },
    ]);
  });

  test("names accounts in the journal by their keys, strangers masked, and has no bodies", async () => {
    const administered = createAdministered();
    const { ask, service } = administered;
    const long = "x".repeat(100_000);
    await ask("POST", "/v1/brands", { name: long, deep: [[[[[[[[long]]]]]]]] });
    const { data } = await ask("POST", "/v1/jobs", { ...copy, prompt: long });
    service.jobs.fail(data.job_id, long);
    const { data: other } = await ask("POST", "/v1/jobs", copy);
    service.jobs.complete(other.job_id, { copy: [{ headline: long, [long]: long }] });
    await ask("GET", `/v1/jobs/${long.slice(0, 2_000)}`);
    await createAsk(service, "test-stranger")("GET", "/v1/jobs");
    const text = await (await get(administered, "state")).text();
    expect(text.length).toBeLessThan(10_000);
    const [stranger, known] = JSON.parse(text).data.journal.items;
    expect(known.account).toBe("test-key");
    expect(stranger.account).not.toContain("stranger");
  });
});

describe("the page", () => {
  test("allows its own files and nothing else, and needs no script that has to run first", async () => {
    const administered = createAdministered();
    const page = await get(administered, "");
    expect(page.headers.get("content-security-policy")?.split("; ")).toEqual([
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
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const html = await page.text();
    const addresses = new Set(html.match(/(?:https?:)?\/\/[\w.-]+(?::\d+)?/g));
    expect([...addresses]).toEqual(["http://www.w3.org", origin]);
    expect(html).not.toMatch(/\sstyle=|\son\w+=|<style|<script>/);
    const files = [...html.matchAll(/(?:src|href)="(\/__mock\/\w+\.(?:js|css))"/g)];
    expect(files.map(([, path]) => path)).toEqual([
      "/__mock/page.css",
      "/__mock/idiomorph.js",
      "/__mock/live.js",
    ]);
    const [, etag = ""] = /<body data-etag="([^ ]+)">/.exec(html) ?? [];
    const body = await get(administered, "body");
    expect(etag.replaceAll("&quot;", '"')).toBe(body.headers.get("etag"));
    expect(html).toContain(/<main[\s\S]*<\/main>/.exec(await body.text())?.[0]);
  });

  test.each([
    ["page.css", "text/css; charset=utf-8"],
    ["live.js", "text/javascript; charset=utf-8"],
    ["idiomorph.js", "text/javascript; charset=utf-8"],
  ])("serves %s as %s, and not again to a browser that has it", async (path, type) => {
    const administered = createAdministered();
    const first = await get(administered, path);
    expect(first.status).toBe(200);
    expect(first.headers.get("content-type")).toBe(type);
    expect(first.headers.get("x-content-type-options")).toBe("nosniff");
    const again = await get(administered, path, first);
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  test("sends its body again only when the state has changed, or when another entry is opened", async () => {
    const administered = createAdministered();
    const first = await get(administered, "body");
    expect((await get(administered, "body", first)).status).toBe(304);
    expect((await get(administered, "body?entry=1", first)).status).toBe(200);
    await administered.ask("POST", "/v1/jobs", { action: "generate-ad" });
    const next = await get(administered, "body", first);
    expect(next.status).toBe(200);
    expect(await next.text()).toContain("generate-ad");
    expect(timeIn(next)).toBeGreaterThan(0);
  });

  test("is renewed when its server gets into trouble, which it says, and when that is over", async () => {
    let troubles: readonly string[] = [];
    const service = createMockService({ clock: createManualClock() });
    const administered = { admin: createAdmin(service, () => troubles) };
    const calm = await get(administered, "body");
    expect((await get(administered, "body", calm)).status).toBe(304);
    troubles = ["The state could not be saved: <disk full>"];
    const troubled = await get(administered, "body", calm);
    const words = "The state could not be saved: &lt;disk full&gt;";
    const alert = new RegExp(`role="alert"[^>]*><p class="problem"><bdi>${words}`);
    expect(await troubled.text()).toMatch(alert);
    expect(await (await get(administered, "")).text()).toMatch(alert);
    troubles = [];
    expect((await get(administered, "body", troubled)).status).toBe(200);
  });
});
