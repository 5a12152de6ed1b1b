// `node first-call.mjs <program> <url>`: one program of `npm run bench -- startup`, by import.
const [, , program, baseUrl] = process.argv;

const { createClient } = await import("adgen-sdk");
if (program === "call") {
  const client = createClient({ apiKey: "test-key", baseUrl });
  const job = await client.jobs.get("job_1");
  if (job.status !== "completed") throw new Error(`The job is ${job.status}`);
}
