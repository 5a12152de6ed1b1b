import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { AdGenClient, ClientOptions } from "../../src/index.ts";
import { failure } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

/** 128 bits: a UUID, or its digits alone. */
const form = /^\d+(-\d+){3}$/;

const writes: readonly ((client: AdGenClient) => Promise<unknown>)[] = [
  ({ jobs }) => jobs.submit(paidJob),
  ({ jobs }) => jobs.submit(paidJob),
  ({ brands }) => brands.create({ name: "a" }),
  ({ brands }) => brands.delete("b"),
  ({ brands }) => brands.update("b", { name: "c" }),
];

/** Sends what a page does; gives the ids of a read, and of its writes. */
const idsOf = async (options: ClientOptions): Promise<(string | null)[]> => {
  const ids: (string | null)[] = [];
  const fetch = async ({ headers }: Request): Promise<Response> => {
    ids.push(headers.get("idempotency-key"));
    const data = { job_id: "job-1", status: "queued", id: "b" };
    return Response.json({ success: true, data, error: null });
  };
  const client = clientOf({ url: "" }, { apiKey: null, ...options, fetch });
  await client.jobs.get("job-1");
  for (const write of writes) await write(client);
  return ids;
};

const openAt = (url: string, isPage = true): void => {
  if (isPage) vi.stubGlobal("document", {});
  vi.stubGlobal("location", new URL(url));
};

beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const own = "/adgen";
const elsewhere = "https://ads.test";

it.each<[where: string, page: string | undefined, isPage: boolean, options: ClientOptions]>([
  ["a page to its own origin", "https://shop.test/a.html", true, { baseUrl: own }],
  [
    "a page to its whole address",
    "https://shop.test/a.html",
    true,
    { baseUrl: "https://shop.test/x" },
  ],
  ["a page without https", "http://shop.test/a.html", true, { baseUrl: own }],
  ["a worker, which has no document", "https://shop.test/worker.js", false, { baseUrl: own }],
  ["a program that asks for it", undefined, false, { baseUrl: elsewhere, callIds: true }],
])("an id of its own goes with every write of %s", async (_, page, isPage, options) => {
  if (page !== undefined) openAt(page, isPage);
  const { crypto } = globalThis;
  const getRandomValues = (numbers: Uint32Array<ArrayBuffer>) => crypto.getRandomValues(numbers);
  // A page without https has no randomUUID.
  if (page?.startsWith("http:")) vi.stubGlobal("crypto", { getRandomValues });

  const [read, ...ids] = await idsOf(options);

  expect(read).toBeNull();
  for (const id of ids) expect(id).toMatch(form);
  expect(new Set(ids).size).toBe(writes.length);
});

it.each<[where: string, page: string | undefined, isPage: boolean, options: ClientOptions]>([
  ["another origin", "https://shop.test/a.html", true, { baseUrl: elsewhere }],
  ["another origin, from a worker", "https://shop.test/worker.js", false, { baseUrl: elsewhere }],
  ["another port", "https://shop.test/a.html", true, { baseUrl: "https://shop.test:8443" }],
  ["another scheme", "https://shop.test/a.html", true, { baseUrl: "http://shop.test" }],
  ["the service itself", "https://shop.test/a.html", true, { baseUrl: own, apiKey: "ak-1" }],
  ["a proxy that wants none", "https://shop.test/a.html", true, { baseUrl: own, callIds: false }],
  ["a proxy, from a program", undefined, false, { baseUrl: "https://shop.test" }],
])("no id goes to %s", async (_, page, isPage, options) => {
  if (page !== undefined) openAt(page, isPage);

  expect(new Set(await idsOf(options))).toEqual(new Set([null]));
});

it("gives way to a header of the caller's", async () => {
  openAt("https://shop.test/a.html");

  const ids = await idsOf({ baseUrl: own, headers: { "Idempotency-Key": "mine" } });

  expect(new Set(ids)).toEqual(new Set(["mine"]));
});

it.each<[string, number, (client: AdGenClient) => Promise<unknown>]>([
  ["a submission", 429, ({ jobs }) => jobs.submit(paidJob)],
  ["a deletion", 503, ({ brands }) => brands.delete("b")],
])("stays the same when %s is made again", async (_, status, write) => {
  const server = await listen(failure(status, "wait", { "retry-after": "0" }), failure(402));

  await rejection(write(clientOf(server, { apiKey: null, callIds: true })));

  const [first, second] = server.received.map(({ headers }) => headers["idempotency-key"]);
  expect(first).toMatch(form);
  expect(second).toBe(first);
});
