// Stops waiting for a job, and takes the wait up again.
//
//   npm run example examples/cancel-a-job.ts                             with the mock
//   ADGEN_BASE_URL=… ADGEN_API_KEY=… npx node examples/cancel-a-job.ts   with the service
import { AbortedError, createClient, pollJob } from "adgen-sdk";

const client = createClient();
const job = await client.jobs.submit({ action: "generate-ad", prompt: "Lemonade" });

const button = new AbortController();

try {
  await pollJob(client, job, {
    signal: button.signal, // or AbortSignal.any([button.signal, AbortSignal.timeout(60_000)])
    onUpdate: ({ status }) => {
      console.log(status);
      button.abort("somebody pressed Cancel"); // in a page, a click does that
    },
  });
} catch (error) {
  if (!(error instanceof AbortedError)) throw error;
  console.log(`${error.name}: ${error.cause}, while waiting for ${error.jobId}`);
}

// The API has no way to cancel a job: only the wait has ended. The job goes on, and is paid for,
// so keep its id: whoever has it can wait for it again, in another process too.
const finished = await pollJob(client, job.job_id);
console.log(`${finished.status} all the same`);
