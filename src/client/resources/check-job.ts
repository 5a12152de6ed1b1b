import type { CompletedJob, Job } from "../../contract/jobs.ts";
import { decodeFailure } from "../errors/make-error.ts";
import { describeKind, describeValue } from "../errors/text.ts";
import type { CheckedResponse } from "../http/call.ts";
import { checkPart, responseError } from "../http/check-schema.ts";
import type { StandardSchema } from "../options/standard-schema.ts";

/** Ends the message: only reading the job has failed, so the caller must not submit again. */
const isPaid = "; the job is completed and paid: its result is in error.lastJob.result";

/** Checks the result of a completed job by the caller's schema. */
export const checkResult = async (
  job: CompletedJob,
  schema: StandardSchema,
  answer: CheckedResponse,
): Promise<Job> => {
  const fields = { ...answer.fields, lastJob: { ...job } };
  const whole = { ...answer, fields };
  return { ...job, result: await checkPart(schema, job.result, ["result"], whole, isPaid) };
};

/** Creates the error of a response whose `job_id` is unusable. */
export const jobIdError = (answer: CheckedResponse, what: string, message: string): Error =>
  responseError(answer, decodeFailure("data", what, { issues: [{ path: ["job_id"], message }] }));

/** Returns the job that was asked for, and refuses a response about another job. */
export const requireSameJob = (answer: CheckedResponse<Job>, id: unknown): Job => {
  const job = { job_id: String(id), ...(answer.data as Partial<Job>) } as Job;
  const received: unknown = job.job_id;
  if (received === id) return job;
  const shown =
    typeof received === "string"
      ? describeValue(answer.redactLine(received))
      : describeKind(received);
  const asked = describeValue(id);
  const message = `expected ${asked}, got ${shown}`;
  throw jobIdError(answer, `job_id ${shown}, asked for ${asked}`, message);
};
