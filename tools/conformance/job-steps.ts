import { assumedMessages } from "../../mocks/domain/messages.ts";
import { actions } from "../../src/contract/actions.ts";
import { isFinished, isJobStatus } from "../../src/contract/jobs.ts";
import { unsupportedActionMessage } from "../../src/contract/supported-actions.ts";
import {
  assumed,
  data,
  documented,
  type Expectation,
  header,
  refused,
  type Step,
  says,
  status,
  step,
} from "./step.ts";

const jobs = documented("4. Endpoints, Jobs");
const errors = documented("7. Errors");
const limits = documented("8. Limits");

const copy = { action: "generate-ad-copy" };

const accepted: readonly Expectation[] = [
  status(202, jobs),
  data("a job_id", jobs, ({ job_id }) => typeof job_id === "string" && job_id !== ""),
  data("the status queued", jobs, (job) => job.status === "queued"),
  header("retry-after", "0", (value) => value === "0"),
];

const submit = (
  name: string,
  body: object | string,
  expects: readonly Expectation[] = accepted,
  detail: Partial<Step> = {},
): Step => step(name, "POST /v1/jobs", expects, { body, ...detail });

const unsupported = [status(400, errors), says(unsupportedActionMessage(), errors)];
/** That a missing or mistyped action is an unsupported one. */
const noAction = [status(400, errors), says(unsupportedActionMessage(), assumed("A14"))];

const invalid = (name: string, expected: string, rule = assumed("A2")): Expectation[] =>
  refused(400, rule, assumedMessages.invalidParameter(name, `expected ${expected}`));

const variationsRange = "an integer from 1 to 10";
const noJob = refused(404, errors, assumedMessages.jobNotFound);

const refusals: readonly Step[] = [
  submit("refuses an action that is not supported", { action: "make-ad" }, unsupported),
  submit("refuses it before it looks at the parameters", { action: "make-ad", variations: 99 }, [
    status(400, errors),
    says(unsupportedActionMessage(), assumed("A14")),
  ]),
  submit("refuses an empty action", { action: "" }, unsupported),
  submit("refuses an action in other letters", { action: "Generate-Ad-Copy" }, unsupported),
  submit("refuses a padded action", { action: " generate-ad-copy" }, unsupported),
  submit("refuses a job without an action", {}, noAction),
  submit("refuses null for an action", { action: null }, noAction),
  submit("refuses a number for an action", { action: 4 }, noAction),
  submit("refuses a list of actions", { action: ["generate-ad-copy"] }, noAction),
  submit("refuses a name that every object has", { action: "constructor" }, unsupported),
  submit("refuses no body", "", refused(400, errors, assumedMessages.bodyNotJson)),
  submit("refuses broken JSON", "{", refused(400, errors, assumedMessages.bodyNotJson)),
  submit(
    "refuses a trailing comma",
    '{"action":"generate-ad-copy",}',
    refused(400, errors, assumedMessages.bodyNotJson),
  ),
  submit(
    "refuses a form",
    "action=generate-ad-copy",
    refused(400, assumed("A1"), assumedMessages.bodyNotJson),
    { headers: { "content-type": "application/x-www-form-urlencoded" } },
  ),
  ...["null", "[]", '"generate-ad-copy"', "4", '[{"action":"generate-ad-copy"}]'].map((text) =>
    submit(
      `refuses a body that is no object: ${text}`,
      text,
      refused(400, errors, assumedMessages.bodyNotObject),
    ),
  ),
  submit(
    "refuses a body that is nested too deeply",
    `{"action":"generate-ad-copy","a":${"[".repeat(100)}${"]".repeat(100)}}`,
    refused(400, assumed("A15"), assumedMessages.bodyTooDeep),
    { mockOnly: true },
  ),
  submit(
    "refuses 11 variations",
    { ...copy, variations: 11 },
    invalid("variations", variationsRange, limits),
  ),
  ...[0, -1, 1.5].map((variations) =>
    submit(
      `refuses ${variations} variations`,
      { ...copy, variations },
      invalid("variations", variationsRange),
    ),
  ),
  ...["4", null, true, [4]].map((variations) =>
    submit(
      `refuses variations that are ${JSON.stringify(variations)}`,
      { ...copy, variations },
      invalid("variations", "number"),
    ),
  ),
  submit("refuses a prompt that is a number", { ...copy, prompt: 5 }, invalid("prompt", "string")),
  submit(
    "refuses an image that is no list",
    { ...copy, images: "https://example.com/a.png" },
    invalid("images", "array"),
  ),
  submit(
    "refuses an image that is no text",
    { ...copy, images: ["https://example.com/a.png", 1] },
    invalid("images.1", "string"),
  ),
  submit(
    "refuses a duration that is text",
    { ...copy, duration: "5" },
    invalid("duration", "number"),
  ),
  submit(
    "refuses a brand that nobody has",
    { ...copy, brand_id: "unknown" },
    refused(404, assumed("A2"), assumedMessages.brandNotFound),
  ),
];

const look = (name: string, id: string, expects: Step["expects"], detail?: Partial<Step>): Step =>
  step(name, `GET /v1/jobs/{${id}}`, expects, detail);

const shown: readonly Expectation[] = [
  status(200, jobs),
  data("one of the four states", documented("3. States and transitions"), (job) =>
    isJobStatus(job.status),
  ),
];

const isShownAs = (state: string): Expectation => ({
  ...data(`the status ${state}`, assumed("A3"), (job) => job.status === state),
  mockOnly: true,
});

const wholeCopy = (count: number): Expectation =>
  data(
    `${count} texts in result.copy, with headline, primary_text, description, call_to_action`,
    assumed("A9"),
    ({ status: state, result }) =>
      state !== "completed" ||
      (result?.copy?.length === count &&
        result.copy.every((text: Record<string, unknown>) =>
          ["headline", "primary_text", "description", "call_to_action"].every(
            (field) => typeof text[field] === "string",
          ),
        )),
  );

const freeJobs: readonly Step[] = [
  submit("writes ad copy", { ...copy, prompt: "Lemonade", variations: 2 }, accepted, {
    remembers: { copyJob: ({ job_id }) => job_id },
  }),
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
    header("retry-after", "0", (value) => value === "0"),
  ]),
  look(
    "finishes a job",
    "copyJob",
    [
      ...shown,
      data("an end within the time", documented("3. States and transitions"), (job) =>
        isFinished(job.status),
      ),
      wholeCopy(2),
      data("a reason when it failed", assumed("A8"), (job) =>
        job.status === "failed" ? typeof job.error === "string" : true,
      ),
    ],
    { until: (job) => isFinished(job.status) },
  ),
  look("keeps a finished job finished", "copyJob", [
    ...shown,
    data("a finished job", documented("3. States and transitions"), (job) =>
      isFinished(job.status),
    ),
    header("retry-after", "which is not there", (value) => value === undefined),
  ]),
  submit("writes one text when it is not told how many", copy, accepted, {
    remembers: { shortJob: ({ job_id }) => job_id },
  }),
  look("finishes that too", "shortJob", [...shown, wholeCopy(1)], {
    until: (job) => isFinished(job.status),
  }),
  submit("writes 1 text", { ...copy, variations: 1 }),
  submit("writes 10 texts", { ...copy, variations: 10 }),
  submit("takes parameters that are not named anywhere", {
    ...copy,
    prompt: "Zitronenlimonade ☀️ 柠檬",
    tone: "dry",
    swap: { logo: true },
  }),
  submit("takes empty words and no pictures", { ...copy, prompt: "", images: [] }),
  submit("reads JSON whatever its content type says", JSON.stringify(copy), accepted, {
    headers: { "content-type": "text/plain" },
    mockOnly: true,
  }),
  submit("writes ad copy for an account without credits", copy, [status(202, limits)], {
    key: "poor",
  }),
];

const listed = documented("4. Endpoints, Jobs");
const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value : []);

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

const pictures = (count: number): Expectation =>
  data(`${count} entries in result.images or result.videos`, assumed("A9"), (job) =>
    job.status === "completed"
      ? listOf(job.result?.images ?? job.result?.videos).length === count
      : true,
  );

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
  look("finishes a job that makes a picture", "generatead", [...shown, pictures(1)], {
    until: (job) => isFinished(job.status),
  }),
  look("finishes a job that makes a video", "videoa2", [...shown, pictures(1)], {
    until: (job) => isFinished(job.status),
  }),
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
  ...refusals,
  ...freeJobs,
  ...lists,
  ...unknownJobs,
  ...paidJobs,
];
