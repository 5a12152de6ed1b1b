import { afterEach, describe, expect, it, vi } from "vitest";
import { type ClientOptions, createClient } from "../../src/index.ts";
import { failure, queued } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

/** Sends what a page does, and gives the ids that its requests carry. */
const idsOf = async (options: ClientOptions): Promise<(string | null)[]> => {
  const ids: (string | null)[] = [];
  const fetch = async ({ headers }: Request): Promise<Response> => {
    ids.push(headers.get("idempotency-key"));
    const data = { job_id: "job-1", status: "queued", id: "b" };
    return Response.json({ success: true, data, error: null });
  };
  const { jobs, brands } = createClient({ ...options, fetch });
  await jobs.submit(paidJob);
  await jobs.submit(paidJob);
  await brands.create({ name: "a" });
  await jobs.get("job-1");
  await brands.delete("b");
  await brands.update("b", { name: "c" });
  return ids;
};

const openPage = (): void => {
  vi.stubGlobal("document", {});
  vi.stubGlobal("location", new URL("https://shop.test/admin/ads.html"));
};

/** 128 bits: a UUID, or its digits alone. */
const form = /^\d+(-\d+){3}$/;

const none = [null, null, null, null, null, null];

vi.spyOn(console, "warn").mockImplementation(() => {});
afterEach(() => vi.unstubAllGlobals());

describe("the id of a call", () => {
  it.each(["/adgen", "https://shop.test/adgen"])(
    "goes with every write of a page to a proxy of its own origin: %s",
    async (baseUrl) => {
      openPage();

      const [first, second, third, read, ...others] = await idsOf({ baseUrl, apiKey: null });

      const ids = [first, second, third, ...others];
      for (const id of ids) expect(id).toMatch(form);
      expect(new Set(ids).size).toBe(5);
      expect(read).toBeNull();
    },
  );

  it("goes out of a worker of the page, too, which has a location and no document", async () => {
    vi.stubGlobal("location", new URL("https://shop.test/worker.js"));

    const [first, second] = await idsOf({ baseUrl: "/adgen", apiKey: null });

    expect(first).toMatch(form);
    expect(second).not.toBe(first);
    expect(await idsOf({ baseUrl: "https://ads.test", apiKey: null })).toEqual(none);
  });

  it.each<[string, ClientOptions]>([
    ["another origin", { baseUrl: "https://ads.test", apiKey: null }],
    ["another port", { baseUrl: "https://shop.test:8443", apiKey: null }],
    ["another scheme", { baseUrl: "http://shop.test", apiKey: null }],
    ["the service itself, with a key", { baseUrl: "/adgen", apiKey: "ak-1" }],
  ])("does not go to %s", async (_, options) => {
    openPage();

    expect(await idsOf(options)).toEqual(none);
  });

  it("is not sent where there is no page", async () => {
    expect(await idsOf({ baseUrl: "https://shop.test", apiKey: null })).toEqual(none);
  });

  it("goes out in a page without https, too, where crypto has no randomUUID", async () => {
    vi.stubGlobal("document", {});
    vi.stubGlobal("location", new URL("http://shop.test/ads.html"));
    const { crypto } = globalThis;
    const getRandomValues = (numbers: Uint32Array<ArrayBuffer>) => crypto.getRandomValues(numbers);
    vi.stubGlobal("crypto", { getRandomValues });

    const [first, second] = await idsOf({ baseUrl: "/adgen", apiKey: null });

    expect(first).toMatch(form);
    expect(second).not.toBe(first);
  });

  it("goes to another origin, and out of a program, where callIds asks for it", async () => {
    const options = { baseUrl: "https://ads.test", apiKey: null, callIds: true };

    const [first, second, , read, ...others] = await idsOf(options);

    for (const id of [first, second, ...others]) expect(id).toMatch(form);
    expect(second).not.toBe(first);
    expect(read).toBeNull();
  });

  it("stays away where callIds is false", async () => {
    openPage();

    expect(await idsOf({ baseUrl: "/adgen", apiKey: null, callIds: false })).toEqual(none);
  });

  it("gives way to a header of the caller's", async () => {
    openPage();

    const headers = { "Idempotency-Key": "mine" };
    const [first] = await idsOf({ baseUrl: "/adgen", apiKey: null, headers });

    expect(first).toBe("mine");
  });

  it("stays the same when the call is made again", async () => {
    const server = await listen(failure(429, "wait", { "retry-after": "0" }), failure(402));
    openPage();
    vi.stubGlobal("location", new URL(server.url));

    await rejection(clientOf(server, { apiKey: null }).jobs.submit(paidJob));

    const [first, second] = server.received.map(({ headers }) => headers["idempotency-key"]);
    expect(first).toMatch(form);
    expect(second).toBe(first);
  });

  it("stays the same when a deletion is made again", async () => {
    const server = await listen(failure(503, "wait", { "retry-after": "0" }), failure(404));

    const options = { apiKey: null, callIds: true, maxRetries: 1 };
    await rejection(clientOf(server, options).brands.delete("b"));

    const [first, second] = server.received.map(({ headers }) => headers["idempotency-key"]);
    expect(first).toMatch(form);
    expect(second).toBe(first);
  });

  it("never leaves a program that is no page", async () => {
    const server = await listen(queued());

    await clientOf(server, { apiKey: null }).jobs.submit(paidJob);

    expect(server.received[0]?.headers).not.toHaveProperty("idempotency-key");
  });
});
