import { describeValue } from "../errors/text.ts";
import { refuseArgument } from "../options/rules.ts";
import type { JobReader, PollClient } from "../resources/job-ref.ts";

/** Gives the reader of a client's jobs; refuses what has no `jobs.get`. */
export const readerOf = (owner: string, client: PollClient, then = "the job"): JobReader => {
  if (typeof client?.jobs?.get !== "function") {
    refuseArgument(`${owner} takes a client first, and then ${then}; got ${describeValue(client)}`);
  }
  return client.jobs;
};
