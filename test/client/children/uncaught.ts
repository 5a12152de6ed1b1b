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

switch (process.argv[2]) {
  case "createClient":
    createClient(wrong); // createClient is here
    break;
  case "createPollTicket":
    createPollTicket("job-1", wrong); // createPollTicket is here
    break;
  case "pollJob":
    await pollJob(client, "job-1", wrong); // pollJob is here
    break;
  case "pollJobs":
    await pollJobs(client, ["job-1"], wrong); // pollJobs is here
    break;
  case "watchJob":
    watchJob(client, "job-1", wrong); // watchJob is here
    break;
  case "watchJobs":
    watchJobs(client, ["job-1"], wrong); // watchJobs is here
    break;
}
