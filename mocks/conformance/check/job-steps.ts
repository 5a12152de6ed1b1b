import { assumedSchemas } from "../../../src/assumed.ts";
import { type Action, actions } from "../../../src/contract/actions.ts";
import { isFinished, type JobStatus } from "../../../src/contract/jobs.ts";
import { assumedMessages } from "../../domain/messages.ts";
import type { Assumption } from "../assumptions.ts";
import { refusalSteps } from "./refusal-steps.ts";
import {
  type Answer,
  assumed,
  data,
  documented,
  type Expectation,
  fits,
  refused,
  type Step,
  status,
  step,
} from "./step.ts";
import {
  accepted,
  copy,
  errors,
  invalid,
  jobs,
  limits,
  ofKnownState,
  oneOfFourStates,
  retryAfter,
  submit,
  variationsRange,
} from "./submit-step.ts";

const noJob = refused(404, errors, assumedMessages.jobNotFound);

const look = (name: string, id: string, expects: Step["expects"], detail?: Partial<Step>): Step =>
  step(name, `GET /v1/jobs/{${id}}`, expects, detail);

const shown: readonly Expectation[] = [status(200, jobs), oneOfFourStates];

const isShownAs = (state: string): Expectation => ({
  ...ofKnownState(data(`the status ${state}`, assumed("A3"), (job) => job.status === state)),
  mockOnly: true,
});

const isAtItsEnd = (says: string): Expectation =>
  ofKnownState(
    data(says, documented("3. States and transitions"), ({ status }) => isFinished(status)),
  );

/** Something about a job in one state. */
const inState = (state: JobStatus, expectation: Expectation): Expectation => ({
  ...expectation,
  about: ({ status, data }) => status < 400 && data?.status === state,
});

const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value : []);

/** What its schema cannot say of a result; a list that is not there is the schema's business. */
const hasEntries = (count: number): Expectation => {
  const entriesOf = ({ result }: Answer["data"]): unknown =>
    result?.copy ?? result?.images ?? result?.videos;
  const expectation = data("one entry in the result for each variation", assumed("A9"), (job) => {
    return listOf(entriesOf(job)).length === count;
  });
  return {
    ...expectation,
    about: ({ status, data }) =>
      status < 400 && data?.status === "completed" && Array.isArray(entriesOf(data)),
    shows: ({ data }) => listOf(entriesOf(data)).length,
  };
};

const readable = (action: Action): Expectation =>
  inState(
    "completed",
    fits("A9", assumedSchemas.results[action], ({ result }) => result),
  );

/** That a request is taken shows that it was read as assumed. */
const taken = (assumption: Assumption): Expectation => ({
  ...status(202, assumed(assumption)),
  says: "a success",
  holds: ({ status }) => status < 300,
});

const freeJobs: readonly Step[] = [
  submit(
    "writes ad copy",
    { ...copy, prompt: "Lemonade", variations: 2 },
    [...accepted, taken("A1")],
    {
      remembers: { copyJob: ({ job_id }) => job_id },
    },
  ),
  look("shows a job", "copyJob", [
    ...shown,
    data("the job that was asked for", assumed("A3"), (job, { copyJob }) => job.job_id === copyJob),
    data("the job's action", assumed("A3"), (job) => job.action === copy.action),
    data(
      "when it was submitted",
      assumed("A3"),
      (job) => !Number.isNaN(Date.parse(job.created_at)),
    ),
    isShownAs("processing"),
    retryAfter("0", "0"),
  ]),
  look(
    "finishes a job",
    "copyJob",
    [
      ...shown,
      isAtItsEnd("an end within the time"),
      hasEntries(2),
      readable("generate-ad-copy"),
      inState(
        "failed",
        data("a reason in error", assumed("A8"), ({ error }) => typeof error === "string"),
      ),
    ],
    { until: (job) => isFinished(job.status) },
  ),
  look("keeps a finished job finished", "copyJob", [
    ...shown,
    isAtItsEnd("a finished job"),
    retryAfter("which is not there", undefined),
  ]),
  submit("writes one text when it is not told how many", copy, accepted, {
    remembers: { shortJob: ({ job_id }) => job_id },
  }),
  look("finishes that too", "shortJob", [...shown, hasEntries(1), readable("generate-ad-copy")], {
    until: (job) => isFinished(job.status),
  }),
  submit("writes 1 text", { ...copy, variations: 1 }),
  submit("writes 10 texts", { ...copy, variations: 10 }, [...accepted, taken("A2")]),
  submit("takes parameters that are not named anywhere", {
    ...copy,
    prompt: "Zitronenlimonade ☀️ 柠檬",
    tone: "dry",
    swap: { logo: true },
  }),
  submit("takes empty words and no pictures", { ...copy, prompt: "", images: [] }),
  submit("reads JSON whatever its content type says", JSON.stringify(copy), [taken("A22")], {
    headers: { "content-type": "text/plain" },
  }),
  submit("writes ad copy for an account without credits", copy, [status(202, limits)], {
    key: "poor",
  }),
];

const listed = documented("4. Endpoints, Jobs");

const lists: readonly Step[] = [
  step("lists jobs", "GET /v1/jobs", [
    status(200, listed),
    data("the list in jobs", assumed("A4"), ({ jobs: list }) => Array.isArray(list)),
    data("the job that was submitted", assumed("A4"), ({ jobs: list }, { copyJob }) =>
      copyJob === undefined ? true : listOf(list).some(({ job_id }) => job_id === copyJob),
    ),
    data("the newest first", assumed("A4"), ({ jobs: list }) => {
      const times = listOf(list).map(({ created_at }) => String(created_at));
      return times.every((time, place) => place === 0 || time <= (times[place - 1] ?? time));
    }),
  ]),
  step("lists no more than it is asked for", "GET /v1/jobs?limit=1", [
    status(200, listed),
    data("one job", assumed("A4"), ({ jobs: list }) => listOf(list).length === 1),
  ]),
  ...["0", "-1", "1.5", "many", ""].map((limit) =>
    step(
      `refuses a limit of "${limit}"`,
      `GET /v1/jobs?limit=${limit}`,
      refused(
        400,
        assumed("A4"),
        assumedMessages.invalidParameter("limit", "expected a positive integer"),
      ),
    ),
  ),
];

const unknownJobs: readonly Step[] = [
  step("knows no job of an unknown id", "GET /v1/jobs/unknown", noJob),
  step("knows no job of a very long id", `GET /v1/jobs/${"x".repeat(2000)}`, noJob),
  step("knows no job of an id with a slash", "GET /v1/jobs/a%2Fb", noJob, { mockOnly: true }),
  step("knows no job of an id that cannot be decoded", "GET /v1/jobs/%E0%A4%A", noJob, {
    mockOnly: true,
  }),
  step("knows no job by a name that every object has", "GET /v1/jobs/__proto__", noJob),
];

const paidJobs: readonly Step[] = [
  ...actions
    .filter((action) => action !== "generate-ad-copy")
    .map((action) => {
      const name = action.replaceAll("-", "");
      return submit(`takes ${action}`, { action, prompt: "Lemonade" }, accepted, {
        costs: true,
        remembers: { [name]: ({ job_id }) => job_id },
      });
    }),
  look(
    "finishes a job that makes a picture",
    "generatead",
    [...shown, hasEntries(1), readable("generate-ad")],
    {
      until: (job) => isFinished(job.status),
    },
  ),
  look(
    "finishes a job that makes a video",
    "videoa2",
    [...shown, hasEntries(1), readable("video-a-2")],
    {
      until: (job) => isFinished(job.status),
    },
  ),
  submit("makes 10 pictures", { action: "image-a-2", variations: 10 }, accepted, { costs: true }),
  submit(
    "refuses 11 pictures",
    { action: "image-a-2", variations: 11 },
    invalid("variations", variationsRange, limits),
    { costs: true },
  ),
  ...[0, -5, 61].map((duration) =>
    submit(
      `refuses a video of ${duration} seconds`,
      { action: "video-a-2", duration },
      invalid("duration", "seconds, more than 0 and at most 60", assumed("A11")),
      { costs: true },
    ),
  ),
  submit("takes a video of a given length", { action: "video-a-2", duration: 2.5 }, accepted, {
    costs: true,
  }),
  ...["generate-ad", "video-a-2"].map((action) =>
    submit(
      `refuses ${action} when it cannot be paid`,
      { action },
      refused(402, errors, assumedMessages.insufficientCredits),
      { costs: true, key: "poor" },
    ),
  ),
];

export const jobSteps: readonly Step[] = [
  ...refusalSteps,
  ...freeJobs,
  ...lists,
  ...unknownJobs,
  ...paidJobs,
];
