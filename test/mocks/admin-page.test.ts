import { Script } from "node:vm";
import { describe, expect, test } from "vitest";
import { createManualClock } from "../../mocks/index.ts";
import { createAdministered, origin } from "./admin-ask.ts";

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
      const startedAt = performance.now();
      text = await (await look(admin)).text();
      looks.push(performance.now() - startedAt);
    }
    const { data } = JSON.parse(text);
    expect(data.jobs.total).toBe(20_000);
    expect(data.jobs.items).toHaveLength(48);
    expect(data.journal.items.length).toBeLessThanOrEqual(50);
    expect(text.length).toBeLessThan(100_000);
    // The quickest of a few: the machine may be busy.
    expect(Math.min(...looks)).toBeLessThan(100);
  }, 60_000);

  test("points to pictures of its own only", async () => {
    const { admin, ask, service } = createAdministered({ clock: createManualClock() });
    const { data: inline } = await ask("POST", "/v1/jobs", { action: "video-a-2", duration: 4 });
    const { data: foreign } = await ask("POST", "/v1/jobs", { action: "generate-ad" });
    service.jobs.complete(inline.job_id);
    service.jobs.complete(foreign.job_id, { images: [{ url: "https://cdn.test/a.png" }, null] });
    const { data } = await (await look(admin)).json();
    expect(data.jobs.items.map(({ made }: { made: unknown }) => made)).toEqual([
      { images: [{ elsewhere: "https://cdn.test/a.png" }, { elsewhere: "" }] },
      { videos: [{ src: `/__mock/artwork/${inline.job_id}/1.svg`, seconds: 4 }] },
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
    const { admin, ask } = createAdministered();
    const long = "x".repeat(100_000);
    await ask("POST", "/v1/brands", { name: long, deep: [[[[[[[[long]]]]]]]] });
    await ask("POST", "/v1/jobs", { action: "generate-ad-copy", prompt: long });
    await ask("GET", `/v1/jobs/${long.slice(0, 2_000)}`);
    expect((await (await look(admin)).text()).length).toBeLessThan(10_000);
  });
});

describe("the page", () => {
  const get = async () => {
    const response = await createAdministered().admin.fetch(new Request(`${origin}/__mock/`));
    return { html: await response.text(), headers: response.headers };
  };

  test("allows nothing that did not come with it", async () => {
    const [one, other] = [await get(), await get()];
    const nonceOf = ({ html }: { html: string }) => /<script nonce="([\w-]{22})">/.exec(html)?.[1];
    const nonce = nonceOf(one);
    expect(nonce).not.toBe(nonceOf(other));
    expect(one.headers.get("content-security-policy")?.split("; ")).toEqual([
      "default-src 'none'",
      "img-src 'self' data:",
      `style-src 'nonce-${nonce}'`,
      `script-src 'nonce-${nonce}'`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(one.headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  test("names no other address, and no style or handler in its markup", async () => {
    const { html } = await get();
    const addresses = html
      .match(/(?:https?:)?\/\/[\w.-]+/g)
      ?.filter((found) => found.includes("."));
    expect(addresses).toEqual(["http://www.w3.org"]);
    const markup = html.slice(html.indexOf("<body>"), html.indexOf("<script nonce"));
    expect(markup).not.toMatch(/\sstyle=|\son\w+=/);
  });

  test("has a script that is whole in itself", async () => {
    const { html } = await get();
    const [, script = ""] = /<script nonce="[\w-]+">(.*)<\/script>/s.exec(html) ?? [];
    expect(script.match(/<\/script|<!--/i)).toBeNull();
    // What a bundler or a test runner puts in place of an import, or in front of a function.
    expect(script.match(/\b__(?!mock\b)\w+|\bimport_\w+|\brequire\(/)).toBeNull();
    // Parses as the browser will: types are gone, nothing is imported.
    expect(() => new Script(script)).not.toThrow();
  });
});
