import { isJobStatus, jobStatuses } from "../../../src/contract/jobs.ts";
import { assumedMessages } from "../../domain/messages.ts";
import type { Answer } from "../exchange.ts";
import {
  data,
  type Expectation,
  header,
  type Rule,
  refused,
  type Step,
  status,
  step,
} from "./step.ts";

/* The parts of steps that submit jobs. */

export const jobs = "4. Endpoints, Jobs";
export const states = "3. States and transitions";
export const errors = "7. Errors";
export const limits = "8. Limits";

export const copy = { action: "generate-ad-copy" };

/** Whole seconds in `Retry-After`, if there is one. */
export const retryAfter: Expectation = {
  ...header("retry-after", "whole seconds", "A23", 202, (value = "") => /^\d+$/.test(value)),
  about: ({ headers }) => headers["retry-after"] !== undefined,
};

const statusOf = ({ status }: Answer["data"]): unknown => status;

/** Of a job in a state that the document does not name, no more is expected. */
export const inKnownState = (
  what: string,
  rule: Rule,
  holds: (job: Answer["data"]) => boolean,
): Expectation => ({
  ...data(what, rule, holds, statusOf),
  about: ({ status, data }) => status < 400 && isJobStatus(data?.status),
});

export const oneOfFourStates = data(
  `a status of ${jobStatuses.join(", ")}`,
  states,
  (job) => isJobStatus(job.status),
  statusOf,
);

export const accepted: readonly Expectation[] = [
  status(202, jobs),
  data("a job_id", jobs, ({ job_id }) => typeof job_id === "string" && job_id !== ""),
  oneOfFourStates,
  inKnownState("the status queued", jobs, (job) => job.status === "queued"),
  retryAfter,
];

/** That a request is taken shows that it was read as assumed. */
export const taken = (rule: Rule): Expectation => ({
  ...status(202, rule),
  holds: ({ status }) => status < 300,
});

export const submit = (
  name: string,
  body: object | string,
  expects: readonly Expectation[] = accepted,
  detail: Partial<Step> = {},
): Step => step(name, "POST /v1/jobs", expects, { body, ...detail });

export const invalid = (name: string, expected: string, rule: Rule = "A2"): Expectation[] =>
  refused(400, rule, assumedMessages.invalidParameter(name, `expected ${expected}`));

export const variationsRange = "an integer from 1 to 10";
