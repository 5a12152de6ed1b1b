import type { JobRequest, SubmittedJob } from "../contract/jobs.ts";
import type { PostOptions } from "../options/call-options.ts";
import type { ClientSchemas } from "../options/client-options.ts";
import type { JobReader } from "../resources/job-ref.ts";

/** The part of `client.jobs` that submits and waits. A test can write one by hand. */
export interface JobSubmitter<S extends ClientSchemas = ClientSchemas> extends JobReader<S> {
  /** Submits a job. */
  submit(request: JobRequest, options?: PostOptions): Promise<SubmittedJob>;
}

/** The part of a client that `submitMany` needs. */
export interface SubmitClient<S extends ClientSchemas = ClientSchemas> {
  /** Submits the jobs, and reads them. */
  readonly jobs: JobSubmitter<S>;
}
