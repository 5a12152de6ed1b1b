// `node first-call.cjs <program> <url>`: one program of `npm run bench -- startup`, by require.
const [, , program, baseUrl] = process.argv;

const { createClient } = require("adgen-sdk");

const main = async () => {
  if (program !== "call") return;
  const client = createClient({ apiKey: "test-key", baseUrl });
  const job = await client.jobs.get("job_1");
  if (job.status !== "completed") throw new Error(`The job is ${job.status}`);
};

void main();
