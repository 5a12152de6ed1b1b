import { describe, expect, test } from "vitest";
import type { MockServiceOptions } from "../../mocks/index.ts";
import { processorMsOf } from "../helpers/processor-time.ts";
import { origin } from "./admin-ask.ts";
import { createAsk } from "./ask.ts";
import { setUp } from "./set-up.ts";

/** A service whose jobs take ten seconds, with its page. */
const open = (options: MockServiceOptions = {}) => {
  const made = setUp({ timeline: { queuedMs: 5_000, processingMs: 5_000 }, ...options });
  /** Asks for a path below `/__mock/`, as a browser that has an answer already; gives the next one. */
  const get = async (path: string, known?: Response): Promise<Response> => {
    const etag = known?.headers.get("etag");
    const headers: HeadersInit = known === undefined ? {} : { "if-none-match": etag ?? "none" };
    return made.admin.fetch(new Request(`${origin}/__mock/${path}`, { headers }));
  };
  return { ...made, get };
};

const timeIn = ({ headers }: Response): number => Number(headers.get("x-mock-now"));

const copy = { action: "generate-ad-copy" };

describe("the overview", () => {
  test("is not sent again while nothing but the time changes", async () => {
    const { get, submit, service } = open();
    await submit();
    const first = await get("state");
    service.clock.advance(2_000);
    const second = await get("state", first);
    expect([second.status, await second.text()]).toEqual([304, ""]);
    expect(timeIn(second)).toBe(timeIn(first) + 2_000);
    service.clock.advance(5_000);
    const third = await get("state", first);
    expect(third.status).toBe(200);
    expect((await third.json()).data.jobs.items[0].status).toBe("processing");
  });

  test("stays small and quick with 120 accounts, 20,000 jobs, and long brands and prompts", async () => {
    const keys = ["test-key", ...Array.from({ length: 119 }, (_, index) => `test-${index}`)];
    const accounts = Object.fromEntries(keys.map((key) => [key, {}]));
    const { get, service } = open({ accounts, journalLimit: 100 });
    const asks = keys.map((key) => createAsk(service, key));
    const prompt = "y".repeat(500);
    for (const ask of asks) {
      for (let count = 0; count < 24; count += 1) {
        await ask("POST", "/v1/brands", { name: "Acme", voice: "x".repeat(1_200) });
      }
    }
    const submit = async (count: number) => {
      for (let job = 0; job < count; job += 1) {
        await asks[job % asks.length]?.("POST", "/v1/jobs", { ...copy, prompt });
      }
    };
    await submit(3);
    service.clock.advance(10_000);
    await submit(3);
    service.clock.advance(5_000);
    await submit(19_994);
    let text = "";
    const looks: number[] = [];
    const look = async () => {
      text = await (await get("state")).text();
    };
    for (let count = 0; count < 5; count += 1) looks.push(await processorMsOf(look));
    const { jobs, accounts: shown, journal } = JSON.parse(text).data;
    expect([jobs.total, shown.length, shown[0].counts.brands]).toEqual([20_000, 120, 24]);
    expect(jobs.counts).toEqual({ queued: 19_994, processing: 3, completed: 3, failed: 0 });
    expect(jobs.items).toHaveLength(50);
    expect(journal.items).toHaveLength(50);
    expect(text.length).toBeLessThan(60_000);
    expect(Math.min(...looks)).toBeLessThan(100);
  });

  test("has no bodies, and no key of a stranger", async () => {
    const { ask, get, submit, service } = open();
    const long = "x".repeat(100_000);
    await ask("POST", "/v1/brands", { name: long, deep: [[[[[[[[long]]]]]]]] });
    service.jobs.fail(await submit({ ...copy, prompt: long }), long);
    service.jobs.complete(await submit(copy), { copy: [{ headline: long, [long]: long }] });
    await ask("GET", `/v1/jobs/${long.slice(0, 2_000)}`);
    await createAsk(service, "test-stranger")("GET", "/v1/jobs");
    const text = await (await get("state")).text();
    expect(text.length).toBeLessThan(10_000);
    const [stranger, known] = JSON.parse(text).data.journal.items;
    expect(known).toMatchObject({ operation: "jobs.get", status: 404 });
    expect(stranger.account).not.toContain("stranger");
  });
});

describe("the page", () => {
  test("allows its own files and nothing else, and needs no script that has to run first", async () => {
    const { get } = open();
    const page = await get("");
    expect(page.headers.get("content-security-policy")?.split("; ")).toEqual([
      ...["default-src 'none'", "img-src 'self' data:", "media-src 'self' data:"],
      ...["style-src 'self'", "script-src 'self'", "connect-src 'self'", "base-uri 'none'"],
      ...["form-action 'self'", "frame-ancestors 'none'"],
      ...["require-trusted-types-for 'script'", "trusted-types 'none'"],
    ]);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const html = await page.text();
    const addresses = new Set(html.match(/(?:https?:)?\/\/[\w.-]+(?::\d+)?/g));
    expect([...addresses]).toEqual(["http://www.w3.org", origin]);
    expect(html).not.toMatch(/\sstyle=|\son\w+=|<style|<script>/);
    const files = [...html.matchAll(/(?:src|href)="\/__mock\/(\w+\.(?:js|css))"/g)];
    expect(files.map(([, path]) => path)).toEqual(["page.css", "idiomorph.js", "live.js"]);
    for (const [, path = ""] of files) {
      const first = await get(path);
      const type = path === "page.css" ? "text/css" : "text/javascript";
      expect(first.status).toBe(200);
      expect(first.headers.get("content-type")).toBe(`${type}; charset=utf-8`);
      expect(first.headers.get("x-content-type-options")).toBe("nosniff");
      const again = await get(path, first);
      expect([again.status, await again.text()]).toEqual([304, ""]);
    }
    const body = await (await get("body")).text();
    expect(html).toContain(/<main[\s\S]*<\/main>/.exec(body)?.[0]);
  });

  test("sends its body again only when the state has changed, or when another entry is opened", async () => {
    const { get, submit } = open();
    const first = await get("body");
    expect((await get("body", first)).status).toBe(304);
    expect((await get("body?entry=1", first)).status).toBe(200);
    await submit();
    const next = await get("body", first);
    expect(next.status).toBe(200);
    expect(await next.text()).toContain("generate-ad");
    expect(timeIn(next)).toBeGreaterThan(0);
  });

  test("leads from a page of older jobs to the newest of each state", async () => {
    const { get, submit } = open();
    await submit();
    const html = await (await get(`body?status=queued&before=${await submit()}&text=ad`)).text();
    const [, states = ""] = /aria-label="State">(.*?)<\/div>/s.exec(html) ?? [];
    const links = Array.from(states.matchAll(/href="([^"]*)"/g), ([, link]) => link);
    expect(links).toEqual(["/__mock/?text=ad#jobs", "/__mock/?status=queued&amp;text=ad#jobs"]);
  });

  test("says what the job in its form costs, and nothing for a wrong one", async () => {
    const { get } = open({ accounts: { "test-key": { credits: { video: { monthly: 7 } } } } });
    for (const [draft, words] of [
      ["action=video-a-2&duration:json=9", "It costs 9 video credits; test-key has 7: a 402."],
      ["action=image-a-2&variations:json=2", "It costs 2 image credits; test-key has 100."],
      ["action=image-a-2&variations:json=99", ""],
      ["action=image-a-2&variations:json=0", ""],
      ["action=video-a-2&duration:json=0", ""],
      [
        "action=video-a-2&variations:json=&duration:json=",
        "It costs 5 video credits; test-key has 7.",
      ],
      ["action=nothing", ""],
    ]) {
      const page = await (
        await get(`body?draft=${encodeURIComponent(`bearer=test-key&${draft}`)}`)
      ).text();
      expect(/<output[^>]*>(.*?)<\/output>/.exec(page)?.[1]).toBe(words);
      expect(page).not.toContain("draft");
    }
  });

  test("is renewed when its server gets into trouble, which it says, and when that is over", async () => {
    const { get, troubles } = open();
    const calm = await get("body");
    troubles.push("The state could not be saved: <disk full>");
    const troubled = await get("body", calm);
    const words = "The state could not be saved: &lt;disk full&gt;";
    const alert = new RegExp(`role="alert"[^>]*><p class="problem bad"><bdi>${words}`);
    expect(await troubled.text()).toMatch(alert);
    expect(await (await get("")).text()).toMatch(alert);
    troubles.pop();
    expect((await get("body", troubled)).status).toBe(200);
  });
});
