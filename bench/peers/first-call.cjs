// `node first-call.cjs runway <url>`: the program of first-call.mjs, by require.
const { RunwayML } = require("@runwayml/sdk");

const main = async () => {
  const client = new RunwayML({ apiKey: "test-key", baseURL: process.argv[3] });
  const { data } = await client.get("/v1/jobs/job_1");
  if (data.status !== "completed") throw new Error(`The job is ${data.status}`);
};

void main();
