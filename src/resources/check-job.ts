import { checkSchema } from "../answer/check-schema.ts";
import type { StandardSchema } from "../answer/standard-schema.ts";
import type { CompletedJob, Job, SubmittedJob } from "../contract/jobs.ts";
import { decodeError } from "../errors/make-error.ts";
import { describeKind, describeValue } from "../errors/text.ts";
import { problemOfId } from "../request/url.ts";
import type { Answered } from "../transport/call.ts";

/** Checks the result of a completed job by the caller's schema. */
export const checkResult = async (
  job: CompletedJob,
  schema: StandardSchema,
  answered: Answered,
): Promise<Job> => {
  const fields = { ...answered.fields, lastJob: { ...job } };
  return {
    ...job,
    result: await checkSchema(schema, job.result, ["result"], { ...answered, fields }),
  };
};

/** Makes the error for an answer whose `job_id` cannot be used. */
const jobIdError = ({ call, fields }: Answered, what: string, message: string): Error =>
  decodeError(call, "data", what, { ...fields, issues: [{ path: ["job_id"], message }] });

/** Refuses an answered job that no later call can name. */
export const requireUsableId = (job: SubmittedJob, answered: Answered): SubmittedJob => {
  const problem = problemOfId(job.job_id);
  if (problem !== undefined) {
    throw jobIdError(answered, `without a usable job_id: it ${problem}`, problem);
  }
  return job;
};

/** Refuses the answer about another job than the one that was asked for. */
export const requireSameId = (received: unknown, id: unknown, answered: Answered): void => {
  if (received === id) return;
  const shown =
    typeof received === "string" ? describeValue(answered.clean(received)) : describeKind(received);
  const asked = describeValue(id);
  const message = `expected ${asked}, got ${shown}`;
  throw jobIdError(answered, `job_id ${shown}, asked for ${asked}`, message);
};
