// Saves the files of all recent jobs. A second run fetches only what is not there yet.
//
//   node download-files.ts
import { createClient, isAdGenError } from "adgen-sdk";
import { saveFiles } from "adgen-sdk/files";

const client = createClient();
const folder = `${process.env["STATE_DIRECTORY"] ?? "."}/ads`;
const { items } = await client.jobs.list();
for (const { job_id, status } of items) {
  if (status !== "completed") continue;
  try {
    const job = await client.jobs.get(job_id);
    if (job.status === "completed") console.log(await saveFiles(job, folder));
  } catch (error) {
    if (!isAdGenError(error)) throw error;
    console.log(job_id, error.code); // the other files are saved all the same
  }
}
