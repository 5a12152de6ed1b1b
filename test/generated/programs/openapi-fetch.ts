/** Goes through all calls with a client of openapi-typescript and openapi-fetch. */
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./service.js";

type Job = components["schemas"]["Job"];

const [baseUrl = ""] = process.argv.slice(2);
const headers = { Authorization: "Bearer test-key" };
const client = createClient<paths>({ baseUrl, headers });

/** Controls the mock. */
const steer = (path: string, body: object): Promise<Response> =>
  fetch(`${baseUrl}/__mock/${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });

/** Submits a job, lets the mock's time pass, and looks at it. */
const make = async (body: components["schemas"]["JobRequest"]): Promise<Job> => {
  const { data, error } = await client.POST("/v1/jobs", { body });
  assert(data, error?.error);
  data.data.status satisfies "queued";
  await steer("clock.advance", [60_000]);
  const look = await client.GET("/v1/jobs/{id}", { params: { path: { id: data.data.job_id } } });
  assert(look.data, look.error?.error);
  return look.data.data;
};

const image = await make({ action: "generate-ad", prompt: "Summer sale" });
assert(image.status === "completed");
const width: number | undefined = image.result.images?.[0]?.width;

const video = await make({ action: "video-a-2", prompt: "Waves", duration: 2 });
assert(video.status === "completed");
const seconds: number | undefined = video.result.videos?.[0]?.duration;

const copy = await make({ action: "generate-ad-copy", prompt: "Tea", variations: 2 });
assert(copy.status === "completed");
const headlines: string[] | undefined = copy.result.copy?.map(({ headline }) => headline);

await steer("jobs.next", [{ fail: "Moderation refused it" }]);
const failed = await make({ action: "edit-ad" });
assert(failed.status === "failed");
assert.equal(failed.error, "Moderation refused it");

const jobs = await client.GET("/v1/jobs", { params: { query: { limit: 2 } } });
const listed: Job[] | undefined = jobs.data?.data.jobs;
assert.deepEqual([width, seconds, headlines?.length, listed?.length], [1080, 2, 2, 2]);

const created = await client.POST("/v1/brands", { body: { name: "Acme", colors: ["#123456"] } });
const brand: components["schemas"]["Brand"] | undefined = created.data?.data;
assert(brand);
const params = { path: { id: brand.id } };
const renamed = await client.PATCH("/v1/brands/{id}", { params, body: { name: "Ache" } });
assert.deepEqual([renamed.data?.data], (await client.GET("/v1/brands")).data?.data.brands);

const saved = await client.POST("/v1/saved-ads", { body: { brand_id: brand.id, headline: "Buy" } });
assert(saved.data);
const { data: ads } = await client.GET("/v1/brands/{id}/ads", { params });
assert.deepEqual(ads?.data.ads, [saved.data.data]);
const ad = { path: { id: saved.data.data.id } };
const removed = await client.DELETE("/v1/saved-ads/{id}", { params: ad });
assert.equal(removed.data?.data.deleted, true);
const gone = await client.DELETE("/v1/brands/{id}", { params });
assert.equal(gone.data?.data.id, brand.id);

const missing = await client.GET("/v1/jobs/{id}", { params: { path: { id: "none" } } });
const reason: string | undefined = missing.error?.error;
assert.deepEqual([missing.response.status, typeof reason], [404, "string"]);

/** Mistakes that must not compile. */
export const mistakes = [
  // @ts-expect-error: the action does not exist
  () => make({ action: "generate-adds" }),
  // @ts-expect-error: a misspelt field, which the service would ignore and charge for
  () => make({ action: "generate-ad", promt: "Summer sale" }),
  // @ts-expect-error: a brand has a name
  () => client.POST("/v1/brands", { body: {} }),
  // @ts-expect-error: a queued job has no result
  (job: components["schemas"]["QueuedJob"]) => job.result,
];
