// Makes one mistake, whose error nobody catches.
import {
  createClient,
  createPollTicket,
  pollJob,
  pollJobs,
  watchJob,
  watchJobs,
} from "../../../src/client/index.ts";

const client = createClient({ baseUrl: "http://127.0.0.1:9", apiKey: "test-key" });
const wrong: object = { interval: 3 };

const mistakes: Readonly<Record<string, () => unknown>> = {
  createClient: () => createClient(wrong), // createClient is here
  createPollTicket: () => createPollTicket("job-1", wrong), // createPollTicket is here
  pollJob: () => pollJob(client, "job-1", wrong), // pollJob is here
  pollJobs: () => pollJobs(client, ["job-1"], wrong), // pollJobs is here
  watchJob: () => watchJob(client, "job-1", wrong), // watchJob is here
  watchJobs: () => watchJobs(client, ["job-1"], wrong), // watchJobs is here
};
await mistakes[process.argv[2] ?? ""]?.();
