/** Makes jobs and a brand with a client of @hey-api/openapi-ts. */
import assert from "node:assert/strict";
import { client } from "./hey-api/client.gen.js";
import { brandsCreate, jobsGet, jobsList, jobsSubmit } from "./hey-api/sdk.gen.js";
import type { Brand, Job, JobRequest, QueuedJob } from "./hey-api/types.gen.js";

const [baseUrl = ""] = process.argv.slice(2);
client.setConfig({ baseUrl, auth: "test-key" });

/** Submits a job, lets the mock's time pass, and looks at it. */
const make = async (body: JobRequest): Promise<Job> => {
  const { data, error } = await jobsSubmit({ body });
  assert(data, error?.error);
  data.data.status satisfies "queued";
  await fetch(`${baseUrl}/__mock/clock.advance`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify([60_000]),
  });
  const look = await jobsGet({ path: { id: data.data.job_id } });
  assert(look.data, look.error?.error);
  return look.data.data;
};

const image = await make({ action: "generate-ad", prompt: "Summer sale" });
assert(image.status === "completed");
const width: number | undefined = image.result.images?.[0]?.width;

const jobs = await jobsList({ query: { limit: 1 } });
const listed: Job[] | undefined = jobs.data?.data.jobs;
assert.deepEqual([width, listed?.length], [1080, 1]);

const created = await brandsCreate({ body: { name: "Acme", colors: ["#123456"] } });
const brand: Brand | undefined = created.data?.data;
assert(brand);
const missing = await jobsGet({ path: { id: "none" } });
const reason: string | undefined = missing.error?.error;
assert.deepEqual([missing.response?.status, typeof reason], [404, "string"]);

/** Mistakes that must not compile. */
export const mistakes = [
  // @ts-expect-error: the action does not exist
  () => make({ action: "generate-adds" }),
  // @ts-expect-error: a misspelt field, which the service would ignore and charge for
  () => make({ action: "generate-ad", promt: "Summer sale" }),
  // @ts-expect-error: a brand has a name
  () => brandsCreate({ body: {} }),
  // @ts-expect-error: a queued job has no result
  (job: QueuedJob) => job.result,
];
