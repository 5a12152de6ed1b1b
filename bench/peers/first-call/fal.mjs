import { createFalClient } from "@fal-ai/client";

const client = createFalClient({
  credentials: "test-key",
  // Its address is fixed; what it sends goes to the benchmark's server instead.
  requestMiddleware: async (request) => ({ ...request, url: `${process.argv[2]}/v1/jobs/job_1` }),
});
const { data } = await client.queue.status("fal-ai/ads", { requestId: "job_1" });
if (data.status !== "completed") throw new Error(`The job is ${data.status}`);
