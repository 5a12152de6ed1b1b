import { describe, expect, it, vi } from "vitest";
import { createClient } from "../../src/index.ts";
import { queued, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection, testKey } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

/** Does what a bug elsewhere does while `call` runs: adds a property to every object. */
const whilePolluted = async <T>(
  [name, value]: readonly [string, unknown],
  call: () => T | Promise<T>,
  enumerable = false,
): Promise<T> => {
  const property = { value, enumerable, configurable: true, writable: true };
  Object.defineProperty(Object.prototype, name, property);
  try {
    return await call();
  } finally {
    Reflect.deleteProperty(Object.prototype, name);
  }
};

// `body` and `query` are not here: Node's own fetch reads them from the prototype.
describe("a property of every object", () => {
  it.each(["prefix", "baseUrl", "url", "input"])(
    "called %s leads no request elsewhere",
    async (name) => {
      const [own, evil] = [await listen(queued()), await listen(queued())];
      const client = clientOf(own);

      await whilePolluted([name, evil.url], () => client.jobs.submit(paidJob));

      expect(evil.sockets.size).toBe(0);
      expect(own.received).toHaveLength(1);
      expect(own.received[0]).toMatchObject({ method: "POST", url: "/v1/jobs" });
    },
  );

  it.each<[string, unknown]>([
    ["method", "PUT"],
    ["json", { action: "video-a-2" }],
    ["searchParams", { a: "1" }],
    ["headers", { "x-evil": "1" }],
    ["maxRetries", 9],
    ["retry", 9],
    ["hooks", { beforeRequest: [() => new Response("{}")] }],
  ])("called %s changes no request", async (name, value) => {
    const own = await listen(queued());
    const client = clientOf(own);

    const job = await whilePolluted([name, value], () => client.jobs.submit(paidJob, {}));

    expect(job.job_id).toBe("job-1");
    expect(own.received).toHaveLength(1);
    const body = JSON.stringify(paidJob);
    expect(own.received[0]).toMatchObject({ method: "POST", url: "/v1/jobs", body });
    expect(own.received[0]?.headers).not.toHaveProperty("x-evil");
  });

  it("called baseUrl or apiKey is no option", async () => {
    const create = () => createClient({ apiKey: testKey });
    const createKeyless = () => createClient({ baseUrl: "http://ads.test" });
    const refusal = { code: "config" };

    await expect(whilePolluted(["baseUrl", "http://evil.test"], create)).rejects.toMatchObject(
      refusal,
    );
    await expect(whilePolluted(["apiKey", "ak-1"], createKeyless)).rejects.toMatchObject(refusal);
  });

  it("called fetch is no option", async () => {
    let called = 0;
    const evil = async () => {
      called++;
      return new Response();
    };
    const client = await whilePolluted(["fetch", evil], () =>
      createClient({ baseUrl: "http://127.0.0.1:9", apiKey: testKey, maxRetries: 0 }),
    );

    await rejection(client.jobs.list());

    expect(called).toBe(0);
  });

  it("called coerce lets no number pass for a text", async () => {
    const own = await listen(success({ jobs: [{ job_id: 7, status: "queued" }] }));
    const client = clientOf(own);

    const error = await whilePolluted(["coerce", true], () => rejection(client.jobs.list()));

    const message = "expected string, got a number";
    expect(error).toMatchObject({
      code: "decode",
      issues: [{ path: ["jobs", 0, "job_id"], message }],
    });
  });

  it("called error loses no paid job's answer", async () => {
    const body = JSON.stringify({
      success: true,
      data: { job_id: "job_1", status: "queued" },
      error: null,
    });
    const client = createClient({
      baseUrl: "https://api.test",
      apiKey: "test-key",
      fetch: async () => new Response(body, { status: 202 }),
    });
    const request = { action: "generate-ad" } as const;
    const job = await whilePolluted(["error", "another's"], () => client.jobs.submit(request));
    expect(job.job_id).toBe("job_1");
  });

  it("called checks hinders no import", async () => {
    vi.resetModules();
    await whilePolluted(["checks", ["x"]], () => import("../../src/index.ts"));
  });

  it("that a loop over keys would find refuses no call", async () => {
    const body = JSON.stringify({ success: true, data: [], error: null });
    const fetch = async () => new Response(body);

    const page = await whilePolluted(
      ["foo", 1],
      () =>
        createClient({ baseUrl: "http://ads.test", apiKey: testKey, fetch }).jobs.list(
          {},
          { maxRetries: 0 },
        ),
      true,
    );

    expect(page.items).toEqual([]);
  });
});
