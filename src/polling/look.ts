import { describeValue } from "../errors/text.ts";
import { refuseArgument } from "../options/rules.ts";
import type { JobRef, PollClient } from "../resources/job-ref.ts";
import type { Look } from "./watch.ts";

/** Makes the look at a job; refuses what has no `jobs.get`. */
export const lookOf = (owner: string, client: PollClient, job: JobRef): Look => {
  if (typeof client?.jobs?.get !== "function") {
    refuseArgument(`${owner} takes a client first, and then the job; got ${describeValue(client)}`);
  }
  return (options) => client.jobs.get(job, options);
};
