const { createClient, pollJob } = require("adgen-sdk");

const main = async () => {
  const client = createClient({ baseUrl: process.argv[2], apiKey: "test-key" });
  const job = await client.jobs.submit({ action: "generate-ad", prompt: "Summer sale" });
  const { status } = await pollJob(client, job.job_id);
  console.log(`${job.status}, ${status}`);
};

void main();
