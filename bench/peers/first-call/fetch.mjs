const url = `${process.argv[2]}/v1/jobs/job_1`;
const response = await fetch(url, { headers: { authorization: "Bearer test-key" } });
const { data } = await response.json();
if (data.status !== "completed") throw new Error(`The job is ${data.status}`);
