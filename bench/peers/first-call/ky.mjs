import ky from "ky";

const url = `${process.argv[2]}/v1/jobs/job_1`;
const { data } = await ky.get(url, { headers: { authorization: "Bearer test-key" } }).json();
if (data.status !== "completed") throw new Error(`The job is ${data.status}`);
