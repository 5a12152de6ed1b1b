import * as z from "zod";
import { type Action, actions, creditOfAction } from "../../src/contract/actions.ts";
import { endpoints } from "../../src/contract/endpoint.ts";
import { maxVariations } from "../../src/contract/jobs.ts";
import { bodyFromContract, fromContract, moment } from "./from-contract.ts";
import { orAnyJson } from "./open-schemas.ts";

const actionsOf = (kind: "image" | "video" | null): Action[] =>
  actions.filter((action) => creditOfAction[action] === kind);

const action = (id: string, names: readonly Action[], description: string) =>
  z.enum(names).meta({ id, description, "x-documented": "2. Job actions" });

const anyAction = action("Action", actions, "What a job does.");
const imageAction = action(
  "ImageAction",
  actionsOf("image"),
  "Makes pictures: one image credit a variation.",
);
const videoAction = action(
  "VideoAction",
  actionsOf("video"),
  "Makes videos: price by model and duration.",
);
const copyAction = action("CopyAction", actionsOf(null), "Writes ad text: free.");

type ActionSchema = typeof anyAction;

const request = (id: string, name: ActionSchema, description: string, duration: z.ZodType) =>
  bodyFromContract("jobs.submit", {
    action: name.meta({ "x-assumed": "A1" }),
    prompt: z
      .string()
      .optional()
      .meta({ description: "What to make, in words.", "x-assumed": "A2" }),
    images: z
      .array(z.string())
      .optional()
      .meta({ description: "Pictures to start from: URLs or data URLs.", "x-assumed": "A2" }),
    variations: z.int().min(1).max(maxVariations).optional().meta({
      description:
        "How many to make; 1 when it is left out. That there are at most 10 is documented, the name is not.",
      "x-documented": "8. Limits",
      "x-assumed": "A2",
    }),
    duration,
    brand_id: z
      .string()
      .optional()
      .meta({ description: "The brand it is for: one of the caller's.", "x-assumed": "A2" }),
  }).meta({ id, description, "x-assumed": ["A1", "A2"] });

const noDuration = z
  .number()
  .optional()
  .meta({ description: "Without meaning for this action.", "x-assumed": "A2" });
const videoDuration = z
  .number()
  .gt(0)
  .max(60)
  .optional()
  .meta({
    description: "Length in seconds; 5 when it is left out. It decides the price.",
    "x-assumed": ["A2", "A11"],
  });

/** Body of a submission. */
export const jobRequest = z
  .discriminatedUnion("action", [
    request("ImageJobRequest", imageAction, "A job that makes pictures.", noDuration),
    request("VideoJobRequest", videoAction, "A job that makes videos.", videoDuration),
    request("CopyJobRequest", copyAction, "A job that writes ad text.", noDuration),
  ])
  .meta({
    id: "JobRequest",
    description: "A job to do, by its action.",
    "x-assumed": ["A1", "A2"],
  });

/** Answer to a submission. */
export const submittedJob = fromContract(endpoints["jobs.submit"].answer, {
  job_id: z.string().meta({ description: "Identifier of the job." }),
  status: z.literal("queued"),
}).meta({
  id: "SubmittedJob",
  description: "A job that was taken on.",
  "x-documented": "4. Jobs",
});

/** Makes a job as a poll at it shows it: its fields depend on how far it is. */
const job = (
  statuses: readonly ("queued" | "processing" | "completed" | "failed")[],
  name: ActionSchema,
  fields: z.ZodRawShape = {},
) =>
  fromContract(endpoints["jobs.get"].answer, {
    job_id: z.string().meta({ description: "Identifier of the job.", "x-assumed": "A3" }),
    status: z.enum(statuses).meta({ "x-documented": "3. States and transitions" }),
    action: name.meta({ "x-assumed": "A3" }),
    created_at: moment("When it was submitted.", { "x-assumed": "A3" }),
    ...fields,
  });

/**
 * Makes what a job has made. No field is required, and there is no `type`: the API's document shows
 * no result, and the mock can be told to answer any JSON. Generators take it for an object.
 */
const result = (id: string, fields: z.ZodRawShape, description: string) =>
  orAnyJson(
    z
      .looseObject(fields)
      .partial()
      .meta({
        id,
        description: `${description} Any other JSON is possible: the API's document shows no result.`,
        "x-assumed": "A9",
      }),
  );

/** Makes the list of what a job made, an entry for each variation. */
const entries = (id: string, fields: z.ZodRawShape) =>
  z
    .array(z.looseObject(fields).meta({ id, "x-assumed": "A9" }))
    .min(1)
    .max(maxVariations);

const completedJob = (id: string, name: ActionSchema, made: z.ZodType) =>
  job(["completed"], name, {
    result: made,
  }).meta({ id, description: "Finished, with its results.", "x-assumed": "A3" });

const url = z.string().meta({ format: "uri", description: "URL or data URL." });
const pixels = z.int().min(1).meta({ description: "Pixels." });
const text = z.string();

const imageResult = result(
  "ImageResult",
  { images: entries("Picture", { url, width: pixels, height: pixels }) },
  "One picture a variation.",
);
const videoResult = result(
  "VideoResult",
  { videos: entries("Video", { url, duration: z.number().meta({ description: "Seconds." }) }) },
  "One video a variation.",
);
const copyResult = result(
  "CopyResult",
  {
    copy: entries("AdText", {
      headline: text,
      primary_text: text,
      description: text,
      call_to_action: text,
    }),
  },
  "One text a variation.",
);

// Generators for Java and others read a discriminator of plain objects alone, and no nested one.
const completed = z
  .xor([
    completedJob("CompletedImageJob", imageAction, imageResult),
    completedJob("CompletedVideoJob", videoAction, videoResult),
    completedJob("CompletedCopyJob", copyAction, copyResult),
  ])
  .meta({
    id: "CompletedJob",
    description: "Finished, with its results, by its action.",
    "x-assumed": ["A3", "A9"],
  });

/** A job, looked at or listed. */
export const anyJob = z
  .xor([
    job(["queued", "processing"], anyAction).meta({
      id: "UnfinishedJob",
      description: "Not finished.",
      "x-assumed": "A3",
    }),
    completed,
    job(["failed"], anyAction, {
      error: z.string().meta({
        description: 'Why; "Job expired" after 30 minutes.',
        "x-assumed": ["A8", "A10"],
      }),
    }).meta({ id: "FailedJob", description: "Finished, without a result.", "x-assumed": "A3" }),
  ])
  .meta({ id: "Job", description: "A job, by its status.", "x-assumed": "A3" });
