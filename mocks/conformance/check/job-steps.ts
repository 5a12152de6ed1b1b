import { assumedSchemas } from "../../../src/assumed.ts";
import { type Action, actions } from "../../../src/contract/actions.ts";
import { isFinished, type JobStatus } from "../../../src/contract/jobs.ts";
import { assumedMessages } from "../../domain/messages.ts";
import type { Answer } from "../exchange.ts";
import { refusalSteps } from "./refusal-steps.ts";
import {
  data,
  type Expectation,
  fits,
  items,
  listIn,
  type Rule,
  refused,
  type Step,
  status,
  step,
  times,
} from "./step.ts";
import {
  accepted,
  copy,
  errors,
  inKnownState,
  invalid,
  jobs,
  limits,
  oneOfFourStates,
  retryAfter,
  states,
  submit,
  taken,
  variationsRange,
} from "./submit-step.ts";

const look = (name: string, id: string, expects: Expectation[] = [], waits = false): Step => {
  const always = [status(200, jobs), oneOfFourStates, retryAfter];
  return step(name, `GET /v1/jobs/{${id}}`, [...always, ...expects], { waits });
};

const isAtItsEnd = (says: string): Expectation =>
  inKnownState(says, states, ({ status }) => isFinished(status));

/** Something about a job in one state. */
const inState = (state: JobStatus, expectation: Expectation): Expectation => ({
  ...expectation,
  about: ({ status, data }) => status < 400 && data?.status === state,
});

const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value : []);

/** Fields of each entry of a result, by the name of the list that holds them. */
const entryFields = {
  images: ["url", "width", "height"],
  videos: ["url", "duration"],
  copy: ["headline", "primary_text", "description", "call_to_action"],
} as const;

/** The result of a completed job: what its schema reads, and what a schema cannot say. */
const results = (action: Action, list: keyof typeof entryFields, count: number): Expectation[] => {
  const entriesOf = ({ result }: Answer["data"]) => listOf(result?.[list]);
  const fields = entryFields[list];
  const hasAll = (entry: object): boolean => fields.every((field) => field in entry);
  return [
    fits("A9", assumedSchemas.results[action], ({ result }) => result),
    data(
      `${fields.join(", ")} in each entry of ${list}`,
      "A9",
      (job) => entriesOf(job).every(hasAll),
      (job) => Object.keys(entriesOf(job).find((entry) => !hasAll(entry)) ?? {}),
    ),
    data(
      "one entry in the result for each variation",
      "A9",
      (job) => !Array.isArray(job.result?.[list]) || entriesOf(job).length === count,
      (job) => entriesOf(job).length,
    ),
  ].map((expectation) => inState("completed", expectation));
};

const copyResults = (count: number) => results("generate-ad-copy", "copy", count);

const nameOf = (action: Action): string => action.replaceAll("-", "");

const freeJobs: readonly Step[] = [
  submit(
    "writes ad copy",
    { ...copy, prompt: "Lemonade", variations: 2 },
    [...accepted, taken("A1")],
    {
      remembers: "copyJob",
    },
  ),
  look("shows a job", "copyJob", [
    data("the job that was asked for", "A3", (job, { copyJob }) => job.job_id === copyJob),
    data("the job's action", "A3", (job) => job.action === copy.action),
    times("A3", "created_at"),
  ]),
  look(
    "finishes a job",
    "copyJob",
    [
      isAtItsEnd("an end within the time"),
      ...copyResults(2),
      inState(
        "failed",
        data("a reason in error", "A8", ({ error }) => typeof error === "string"),
      ),
    ],
    true,
  ),
  look("keeps a finished job finished", "copyJob", [isAtItsEnd("a finished job")]),
  submit("writes one text when it is not told how many", copy, accepted, {
    remembers: "shortJob",
  }),
  look("finishes that too", "shortJob", [...copyResults(1)], true),
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

const lists: readonly Step[] = [
  step("lists jobs", "GET /v1/jobs", [
    status(200, jobs),
    listIn("jobs"),
    items(
      "jobs",
      "the job that was submitted",
      (list, { copyJob }) => copyJob === undefined || list.some(({ job_id }) => job_id === copyJob),
    ),
    items("jobs", "the newest first", (list) =>
      list.every(
        ({ created_at }, place) =>
          place === 0 || String(created_at) <= String(list[place - 1].created_at),
      ),
    ),
  ]),
];

const noJob = (rule: Rule) => refused(404, rule, assumedMessages.jobNotFound);

const unknownJobs: readonly Step[] = [
  ...["unknown", "x".repeat(2000), "__proto__"].map((id) =>
    step(`knows no job of the id ${id.slice(0, 20)}`, `GET /v1/jobs/${id}`, noJob(errors)),
  ),
  step("knows no job of an id with a slash", "GET /v1/jobs/a%2Fb", noJob("A21")),
];

const pay = (
  name: string,
  body: object,
  expects: readonly Expectation[] = accepted,
  detail: Partial<Step> = {},
): Step => submit(name, body, expects, { costs: true, ...detail });

const paidJobs: readonly Step[] = [
  ...actions
    .filter((action) => action !== "generate-ad-copy")
    .map((action) =>
      pay(`takes ${action}`, { action, prompt: "Lemonade" }, accepted, {
        remembers: nameOf(action),
      }),
    ),
  look("finishes a picture", nameOf("generate-ad"), results("generate-ad", "images", 1), true),
  look("finishes a video", nameOf("video-a-2"), results("video-a-2", "videos", 1), true),
  pay("makes 10 pictures", { action: "image-a-2", variations: 10 }),
  pay(
    "refuses 11 pictures",
    { action: "image-a-2", variations: 11 },
    invalid("variations", variationsRange, limits),
  ),
  ...[0, -5, 61].map((duration) =>
    pay(
      `refuses a video of ${duration} seconds`,
      { action: "video-a-2", duration },
      invalid("duration", "seconds, more than 0 and at most 60", "A11"),
    ),
  ),
  pay("takes a video of a given length", { action: "video-a-2", duration: 2.5 }),
  ...["generate-ad", "video-a-2"].map((action) =>
    pay(
      `refuses ${action} when it cannot be paid`,
      { action },
      refused(402, errors, assumedMessages.insufficientCredits),
      { key: "poor" },
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
