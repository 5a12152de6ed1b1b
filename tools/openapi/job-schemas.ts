import { type Action, actions, creditOfAction } from "../../src/contract/actions.ts";
import { bodies } from "../../src/contract/bodies.ts";
import { endpoints } from "../../src/contract/endpoint.ts";
import { maxVariations } from "../../src/contract/jobs.ts";
import { fromContract, openObject, reference, type SchemaObject } from "./schema-object.ts";

const actionsOf = (kind: "image" | "video" | null): Action[] =>
  actions.filter((action) => creditOfAction[action] === kind);

const actionEnum = (names: readonly Action[], description: string): SchemaObject => ({
  type: "string",
  enum: names,
  description,
  "x-documented": "2. Job actions",
});

const jobRequest = (action: string, description: string, duration: SchemaObject): SchemaObject => {
  const body = bodies["jobs.submit"];
  if (body === undefined) throw new Error("The contract has no body for jobs.submit");
  return fromContract(body, {
    description,
    "x-assumed": ["A1", "A2"],
    properties: {
      action: reference(action, { "x-assumed": "A1" }),
      prompt: { type: "string", description: "What to make, in words.", "x-assumed": "A2" },
      images: {
        type: "array",
        items: { type: "string" },
        description: "Pictures to start from: URLs or data URLs.",
        "x-assumed": "A2",
      },
      variations: {
        type: "integer",
        minimum: 1,
        maximum: maxVariations,
        default: 1,
        description: "How many to make. That there are at most 10 is documented, the name is not.",
        "x-documented": "8. Limits",
        "x-assumed": "A2",
      },
      duration: { "x-assumed": "A2", ...duration },
      brand_id: {
        type: "string",
        description: "The brand it is for: one of the caller's.",
        "x-assumed": "A2",
      },
    },
  });
};

const videoDuration: SchemaObject = {
  exclusiveMinimum: 0,
  maximum: 60,
  default: 5,
  description: "Length in seconds; it decides the price.",
  "x-assumed": ["A2", "A11"],
};

const noDuration: SchemaObject = { description: "Without meaning for this action." };

/** A job as a look at it shows it; what is in it depends on how far it is. */
const job = (
  description: string,
  statuses: readonly string[],
  properties: Readonly<Record<string, SchemaObject>> = {},
): SchemaObject =>
  fromContract(endpoints["jobs.get"].answer, {
    description,
    "x-assumed": "A3",
    ...openObject({
      job_id: { type: "string", description: "Identifier of the job.", "x-assumed": "A3" },
      status: { type: "string", enum: statuses, "x-documented": "3. States and transitions" },
      action: reference("Action", { "x-assumed": "A3" }),
      created_at: {
        type: "string",
        format: "date-time",
        description: "When it was submitted.",
        "x-assumed": "A3",
      },
      ...properties,
    }),
  });

const completedJob = (kind: string): SchemaObject =>
  job("Finished, with its results.", ["completed"], {
    action: reference(`${kind}Action`, { "x-assumed": "A3" }),
    result: {
      description: "What was made.",
      anyOf: [reference(`${kind}Result`), reference("OtherResult")],
      "x-assumed": "A9",
    },
  });

const result = (field: string, entry: string, description: string): SchemaObject =>
  openObject(
    { [field]: { type: "array", minItems: 1, maxItems: maxVariations, items: reference(entry) } },
    { description, "x-assumed": "A9" },
  );

const oneOf = (names: readonly string[], more: SchemaObject): SchemaObject => ({
  ...more,
  oneOf: names.map((name) => reference(name)),
});

const url: SchemaObject = { type: "string", format: "uri", description: "URL or data URL." };
const pixels: SchemaObject = { type: "integer", minimum: 1, description: "Pixels." };
const text: SchemaObject = { type: "string" };

/** The schemas of jobs, by the names they are referred to. */
export const jobSchemas: Readonly<Record<string, SchemaObject>> = {
  Action: actionEnum(actions, "What a job does."),
  ImageAction: actionEnum(actionsOf("image"), "Makes pictures: one image credit a variation."),
  VideoAction: actionEnum(actionsOf("video"), "Makes videos: price by model and duration."),
  CopyAction: actionEnum(actionsOf(null), "Writes ad text: free."),
  JobRequest: oneOf(["ImageJobRequest", "VideoJobRequest", "CopyJobRequest"], {
    description: "A job to do, by its action.",
    "x-assumed": ["A1", "A2"],
  }),
  ImageJobRequest: jobRequest("ImageAction", "A job that makes pictures.", noDuration),
  VideoJobRequest: jobRequest("VideoAction", "A job that makes videos.", videoDuration),
  CopyJobRequest: jobRequest("CopyAction", "A job that writes ad text.", noDuration),
  SubmittedJob: fromContract(endpoints["jobs.submit"].answer, {
    description: "A job that was taken on.",
    "x-documented": "4. Jobs",
    properties: {
      job_id: { type: "string", description: "Identifier of the job." },
      status: { type: "string", const: "queued" },
    },
  }),
  Job: oneOf(["UnfinishedJob", "CompletedJob", "FailedJob"], {
    description: "A job, by its status.",
    "x-assumed": "A3",
  }),
  UnfinishedJob: job("Not finished.", ["queued", "processing"]),
  CompletedJob: oneOf(["CompletedImageJob", "CompletedVideoJob", "CompletedCopyJob"], {
    description: "Finished, with its results, by its action.",
    "x-assumed": ["A3", "A9"],
  }),
  CompletedImageJob: completedJob("Image"),
  CompletedVideoJob: completedJob("Video"),
  CompletedCopyJob: completedJob("Copy"),
  FailedJob: job("Finished, without a result.", ["failed"], {
    error: {
      type: "string",
      description: 'Why; "Job expired" after 30 minutes.',
      "x-assumed": ["A8", "A10"],
    },
  }),
  ImageResult: result("images", "Picture", "One picture a variation."),
  VideoResult: result("videos", "Video", "One video a variation."),
  CopyResult: result("copy", "AdText", "One text a variation."),
  OtherResult: {
    description:
      "Any JSON: the API's document shows no result, and the mock can be told what a job makes.",
    "x-assumed": "A9",
  },
  Picture: openObject({ url, width: pixels, height: pixels }, { "x-assumed": "A9" }),
  Video: openObject(
    { url, duration: { type: "number", description: "Seconds." } },
    { "x-assumed": "A9" },
  ),
  AdText: openObject(
    { headline: text, primary_text: text, description: text, call_to_action: text },
    { "x-assumed": "A9" },
  ),
};
