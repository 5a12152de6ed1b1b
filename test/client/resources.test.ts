import { describe, expect, it } from "vitest";
import type { AdGenClient } from "../../src/index.ts";
import { success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

/** One answer that every endpoint takes. */
const anything = { job_id: "job-1", status: "queued", id: "x-1", items: [] };

const unusableIds: readonly [id: unknown, problem: string][] = [
  ["", "must be a non-empty string, got an empty one"],
  [" ", "must be a non-empty string, got an empty one"],
  [".", 'must not be "." (it would change the path)'],
  ["..", 'must not be ".." (it would change the path)'],
  ["a\nb", "has a line break or another control character"],
  ["\ud800", "has half of a surrogate pair"],
  ["i".repeat(257), "has 257 characters, more than 256"],
  [undefined, "must be a non-empty string, got undefined"],
  [null, "must be a non-empty string, got null"],
  [7, "must be a non-empty string, got a number"],
];

const refusalOf = (path: string, problem: string): string => {
  if (path.startsWith("/v1/jobs")) return `job id ${problem}: pass job.job_id or the job`;
  if (path.startsWith("/v1/brands")) return `brand id ${problem}: pass brand.id`;
  return `saved ad id ${problem}: pass ad.id`;
};

type Call = (client: AdGenClient, id: string) => Promise<unknown>;

const calls: readonly [name: string, call: Call, method: string, path: string, body?: object][] = [
  ["jobs.submit", ({ jobs }) => jobs.submit(paidJob), "POST", "/v1/jobs", paidJob],
  ["jobs.get", ({ jobs }, id) => jobs.get(id), "GET", "/v1/jobs/:id"],
  ["jobs.list", ({ jobs }) => jobs.list(), "GET", "/v1/jobs"],
  ["brands.list", ({ brands }) => brands.list(), "GET", "/v1/brands"],
  [
    "brands.create",
    ({ brands }) => brands.create({ name: "Acme", colors: ["#f00"] }),
    "POST",
    "/v1/brands",
    { name: "Acme", colors: ["#f00"] },
  ],
  [
    "brands.update",
    ({ brands }, id) => brands.update(id, { name: "Acme & Co" }),
    "PATCH",
    "/v1/brands/:id",
    { name: "Acme & Co" },
  ],
  ["brands.delete", ({ brands }, id) => brands.delete(id), "DELETE", "/v1/brands/:id"],
  ["brands.listAds", ({ brands }, id) => brands.listAds(id), "GET", "/v1/brands/:id/ads"],
  [
    "savedAds.create",
    ({ savedAds }) => savedAds.create({ brand_id: "b-1", url: "data:," }),
    "POST",
    "/v1/saved-ads",
    { brand_id: "b-1", url: "data:," },
  ],
  ["savedAds.delete", ({ savedAds }, id) => savedAds.delete(id), "DELETE", "/v1/saved-ads/:id"],
];

describe.each(calls)("%s", (_, call, method, path, body) => {
  it("sends its method, path and body, once", async () => {
    const server = await listen(success(anything));
    const before = JSON.stringify(body);
    await call(clientOf(server), "job-1");

    expect(server.received).toHaveLength(1);
    const [sent] = server.received;
    expect(sent).toMatchObject({ method, url: path.replace(":id", "job-1") });
    expect(sent?.body).toBe(body ? JSON.stringify(body) : "");
    expect(sent?.headers["content-type"]).toBe(body && "application/json");
    expect(JSON.stringify(body)).toBe(before);
  });

  it("keeps the path of its base URL", async () => {
    const server = await listen(success(anything));
    await call(clientOf({ url: `${server.url}/ads/api/` }), "job-1");
    expect(server.received[0]?.url).toBe(`/ads/api${path.replace(":id", "job-1")}`);
  });
});

describe.each(calls.filter(([, , , path]) => path.includes(":id")))("%s", (_, call, __, path) => {
  it("sends an id as one segment of the path", async () => {
    const server = await listen(success({ ...anything, job_id: undefined }));
    const id = "a b/../c?d#e%2Fü";
    await call(clientOf(server), id);
    const segment = "a%20b%2F..%2Fc%3Fd%23e%252F%C3%BC";
    expect(server.received[0]?.url).toBe(path.replace(":id", segment));
  });

  it("refuses a value that is no id, and sends nothing", async () => {
    const server = await listen(success(anything));
    const client = clientOf(server);
    const objects = [
      [{}, "must be a non-empty string, got an object"],
      [[], "must be a non-empty string, got an array"],
    ] as const;
    for (const [id, problem] of [...unusableIds, ...objects]) {
      expect(await rejection(call(client, id as string))).toMatchObject({
        name: "InvalidRequestError",
        code: "invalid_request",
        message: refusalOf(path, problem),
      });
    }
    expect(server.received).toHaveLength(0);
  });
});

describe("a list", () => {
  it.each<[string, Call, string]>([
    [
      "jobs.list",
      ({ jobs }) => jobs.list({ limit: 5, status: "failed", all: true, next: undefined }),
      "/v1/jobs",
    ],
    [
      "brands.list",
      ({ brands }) => brands.list({ query: { limit: 5, status: "failed", all: true } }),
      "/v1/brands",
    ],
    [
      "brands.listAds",
      ({ brands }, id) => brands.listAds(id, { query: { limit: 5, status: "failed", all: true } }),
      "/v1/brands/b-1/ads",
    ],
  ])("asks with a query (%s)", async (_, call, path) => {
    const server = await listen(success({ items: [] }));
    await call(clientOf(server), "b-1");
    expect(server.received[0]?.url).toBe(`${path}?limit=5&status=failed&all=true`);
  });

  it("escapes its query", async () => {
    const server = await listen(success({ items: [] }));
    await clientOf(server).jobs.list({ "a&b": "c=d #?é" });
    expect(server.received[0]?.url).toBe("/v1/jobs?a%26b=c%3Dd+%23%3F%C3%A9");
  });

  it.each([[Number.NaN], [null], [{}], [[1]]])("refuses %j in a query", async (value) => {
    const server = await listen(success({ items: [] }));
    const listing = clientOf(server).jobs.list({ limit: value as number });
    expect(await rejection(listing)).toMatchObject({ code: "invalid_request" });
    expect(server.received).toHaveLength(0);
  });
});
