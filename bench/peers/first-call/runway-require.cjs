const { RunwayML } = require("@runwayml/sdk");

const main = async () => {
  const client = new RunwayML({ apiKey: "test-key", baseURL: process.argv[2] });
  const { data } = await client.get("/v1/jobs/job_1");
  if (data.status !== "completed") throw new Error(`The job is ${data.status}`);
};

void main();
