import Replicate from "replicate";

const client = new Replicate({ auth: "test-key", baseUrl: `${process.argv[2]}/v1` });
const { data } = await client.predictions.get("job_1");
if (data.status !== "completed") throw new Error(`The job is ${data.status}`);
