const { mkdtempSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { createClient, pollJobs, StoreError } = require("adgen-sdk");
const { createSubmissions } = require("adgen-sdk/submissions");
const { openFileStore } = require("adgen-sdk/submissions/file");

const main = async () => {
  const folder = mkdtempSync(join(tmpdir(), "adgen-use-"));
  const store = await openFileStore(join(folder, "submissions"));
  const submissions = createSubmissions(store);
  const client = createClient({ baseUrl: process.argv[2], apiKey: "test-key", submissions });
  const request = { action: "generate-ad", prompt: "Summer sale" };
  await client.jobs.submit(request, { once: "order-17" });
  await client.jobs.submit(request, { once: "order-17" });
  const { waiting } = await client.jobs.recover();
  const [job] = await pollJobs(client, waiting);
  await submissions.acknowledge(job.data);
  const refused = await openFileStore(store.path).catch((error) => error);
  console.log([waiting.length, job.data.status, refused instanceof StoreError].join());
  await store.close();
  rmSync(folder, { recursive: true });
};

void main();
