import { isJobStatus, jobStatuses } from "../../../src/contract/jobs.ts";
import { assumedMessages } from "../../domain/messages.ts";
import {
  assumed,
  data,
  documented,
  type Expectation,
  header,
  refused,
  type Step,
  status,
  step,
} from "./step.ts";

/* The parts of steps that submit jobs. */

export const jobs = documented("4. Endpoints, Jobs");
export const errors = documented("7. Errors");
export const limits = documented("8. Limits");

export const copy = { action: "generate-ad-copy" };

/** Only the mock tells in a header when to ask again. */
export const retryAfter = (what: string, value: string | undefined): Expectation => ({
  ...header("retry-after", what, (sent) => sent === value, assumed("A23")),
  mockOnly: true,
});

/** Of a job in a state that the document does not name, no more is expected. */
export const ofKnownState = (expectation: Expectation): Expectation => ({
  ...expectation,
  about: ({ status, data }) => status < 400 && isJobStatus(data?.status),
  shows: ({ data }) => data.status,
});

export const oneOfFourStates: Expectation = {
  ...data(`a status of ${jobStatuses.join(", ")}`, documented("3. States and transitions"), (job) =>
    isJobStatus(job.status),
  ),
  shows: ({ data }) => data?.status,
};

export const accepted: readonly Expectation[] = [
  status(202, jobs),
  data("a job_id", jobs, ({ job_id }) => typeof job_id === "string" && job_id !== ""),
  oneOfFourStates,
  ofKnownState(data("the status queued", jobs, (job) => job.status === "queued")),
  retryAfter("0", "0"),
];

export const submit = (
  name: string,
  body: object | string,
  expects: readonly Expectation[] = accepted,
  detail: Partial<Step> = {},
): Step => step(name, "POST /v1/jobs", expects, { body, ...detail });

export const invalid = (name: string, expected: string, rule = assumed("A2")): Expectation[] =>
  refused(400, rule, assumedMessages.invalidParameter(name, `expected ${expected}`));

export const variationsRange = "an integer from 1 to 10";
