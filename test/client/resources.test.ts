import { describe, expect, it } from "vitest";
import type { AdGenClient } from "../../src/index.ts";
import { success } from "../helpers/answers.ts";
import { clientOf, paidJob } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

/** One answer that every endpoint takes. */
const anything = { job_id: "job-1", status: "queued", id: "x-1", items: [] };

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
