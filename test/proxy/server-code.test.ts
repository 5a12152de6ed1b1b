import { describe, expect, test } from "vitest";
import { createClient } from "../../src/index.ts";
import { withStore } from "./failing-store.ts";
import { openProxy } from "./proxy-under-test.ts";

const evil = { origin: "https://evil.test", "sec-fetch-site": "cross-site", "x-owner": "eve" };

describe("code of the server that acts for an owner", () => {
  test("is that owner, whatever its requests say", async () => {
    const { proxy, ask, service } = await openProxy({ mountPath: "/adgen" });
    const client = createClient({
      baseUrl: "http://page.test/adgen",
      apiKey: null,
      callIds: true,
      headers: evil,
      fetch: proxy.fetchAs("ann"),
    });
    const { job_id: jobId } = await client.jobs.submit({ action: "generate-ad", prompt: "Sale" });
    expect((await ask("ann", { path: `/v1/jobs/${jobId}` })).status).toBe(200);
    expect((await ask("eve", { path: `/v1/jobs/${jobId}` })).status).toBe(404);
    expect((await client.jobs.list()).items).toHaveLength(1);
    const other = createClient({
      ...{ baseUrl: "http://a.test", apiKey: null },
      fetch: proxy.fetchAs("eve"),
    });
    await expect(other.jobs.get(jobId)).rejects.toMatchObject({ status: 404 });
    expect(JSON.stringify(service.received)).not.toContain("evil");
  });

  test.each(["", undefined, null, 7, "a\uD800"])("is no owner by the name %j", async (owner) => {
    const { proxy } = await openProxy();
    expect(() => proxy.fetchAs(owner as string)).toThrow(/owner/);
    await expect(proxy.usage(owner as string)).rejects.toThrow(/owner/);
    await expect(proxy.claim("job", "job-1", owner as string)).rejects.toThrow(/owner/);
  });

  test("gives nothing away while the store is out of reach", async () => {
    const { proxy, ask, make, fail } = await withStore(() => Promise.reject(new Error("gone")));
    const job = await make("ann", "/v1/jobs", { action: "generate-ad", prompt: "Sale" });
    fail();
    await expect(proxy.claim("job", job, "eve")).rejects.toThrow(/store/);
    expect((await ask("eve", { path: `/v1/jobs/${job}` })).status).toBe(503);
  });

  test("may give a thing to one owner, and never take it from another", async () => {
    const { proxy, ask, make } = await openProxy();
    const job = await make("ann", "/v1/jobs", { action: "generate-ad", prompt: "Sale" });
    expect(await proxy.claim("job", job, "eve")).toBe(false);
    expect((await ask("eve", { path: `/v1/jobs/${job}` })).status).toBe(404);
    expect(await proxy.claim("job", job, "ann")).toBe(true);
    const all = await Promise.all(
      ["ann", "eve", "bob"].map((who) => proxy.claim("ad", "ad-9", who)),
    );
    expect(all).toEqual([true, false, false]);
    // @ts-expect-error: only things have owners
    await expect(proxy.claim("call", "ann:call-1", "eve")).rejects.toThrow(/kind/);
    for (const id of ["", "..", "a\nb", "x".repeat(300)]) {
      await expect(proxy.claim("job", id, "eve")).rejects.toThrow(/id/);
    }
  });
});

describe("the proxy", () => {
  const odd: [what: string, request: unknown][] = [
    ["nothing", undefined],
    ["an object without headers", { method: "POST", url: "http://page.test/adgen/v1/jobs" }],
    ["the request of a server that is no Request", { method: "GET", url: "/v1/jobs", headers: {} }],
  ];
  test.each(odd)(
    "answers with 500, and never rejects, when it is called with %s",
    async (...row) => {
      const [, request] = row;
      const { proxy, errors, service } = await openProxy();
      for (const answer of [proxy, proxy.fetchAs("ann")]) {
        const response = await answer(request as Request);
        expect(response.status).toBe(500);
        expect(await response.json()).toMatchObject({ success: false, error: "the proxy failed" });
      }
      expect(errors.length).toBeGreaterThanOrEqual(2);
      expect(errors.every(({ part }) => part === "proxy")).toBe(true);
      expect(service.arrivals()).toBe(0);
    },
  );
});
