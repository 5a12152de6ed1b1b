import ky from "ky";
import * as z from "zod/mini";

const answer = z.object({ data: z.object({ status: z.string() }) });
const url = `${process.argv[2]}/v1/jobs/job_1`;
const json = await ky.get(url, { headers: { authorization: "Bearer test-key" } }).json();
const { data } = answer.parse(json);
if (data.status !== "completed") throw new Error(`The job is ${data.status}`);
