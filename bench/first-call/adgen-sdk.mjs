import { createClient } from "adgen-sdk";

const client = createClient({ apiKey: "test-key", baseUrl: process.argv[2] });
const job = await client.jobs.get("job_1");
if (job.status !== "completed") throw new Error(`The job is ${job.status}`);
