import * as z from "zod";
import { type Action, actions, creditOfAction } from "../../src/contract/actions.ts";
import { endpoints } from "../../src/contract/endpoint.ts";
import { maxVariations } from "../../src/contract/jobs.ts";
import { bodyFromContract, describeDateTime, fromContract, orAnyJson } from "./open-schemas.ts";

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

/**
 * Texts that are no addresses: paths, names of picture files, bare base64. The patterns write each
 * letter in both cases, because JSON Schema's patterns have no flags.
 */
const localPictures = [
  "^(\\.{0,2}[/\\\\]|~|[A-Za-z]:|[Ff][Ii][Ll][Ee]:|[Bb][Ll][Oo][Bb]:)",
  "^[^:]+\\.([Pp][Nn][Gg]|[Jj][Pp][Ee]?[Gg]|[Ww][Ee][Bb][Pp]|[Gg][Ii][Ff]|[Aa][Vv][Ii][Ff]|[Hh][Ee][Ii][Cc]|[Bb][Mm][Pp]|[Tt][Ii][Ff][Ff]?|[Ss][Vv][Gg])$",
  "^[\\w+/=\\s]{100,}$",
];
const pictureAddress = z
  .string()
  .meta({ not: { anyOf: localPictures.map((pattern) => ({ pattern })) } });

const request = (id: string, name: ActionSchema, description: string, duration: z.ZodType) =>
  bodyFromContract("jobs.submit", {
    action: name.meta({ "x-assumed": "A1" }),
    prompt: z
      .string()
      .optional()
      .meta({ description: "What to make, in words.", "x-assumed": "A2" }),
    images: z
      .array(pictureAddress)
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

// `action` is no discriminator: generators for Java would send one fixed value for each class, and
// a class here has several actions.
/** Body of a submission. */
export const jobRequest = z
  .xor([
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

/** Describes a job as a poll returns it. Its fields depend on its status. */
const job = (
  status: "queued" | "processing" | "completed" | "failed",
  id: string,
  description: string,
  fields: z.ZodRawShape = {},
) =>
  fromContract(endpoints["jobs.get"].answer, {
    job_id: z.string().meta({ description: "Identifier of the job.", "x-assumed": "A3" }),
    status: z.literal(status).meta({ "x-documented": "3. States and transitions" }),
    action: anyAction.meta({ "x-assumed": "A3" }),
    created_at: describeDateTime("When it was submitted.", { "x-assumed": "A3" }),
    ...fields,
  }).meta({ id, description, "x-assumed": "A3" });

/** Describes the list of a job's results, with an entry for each variation. */
const entries = (id: string, fields: z.ZodRawShape, description: string) =>
  z
    .array(z.looseObject(fields).meta({ id, "x-assumed": "A9" }))
    .min(1)
    .max(maxVariations)
    .meta({ description: `${description} One a variation.` });

const url = z.string().meta({ format: "uri", description: "URL or data URL." });
const pixels = z.int().min(1).meta({ description: "Pixels." });
const text = z.string();

/**
 * What a job has made. No field is required, and there is no `type`: the API's document shows no
 * result, and the mock can be told to answer any JSON. Generators still make an object type of it.
 */
const result = orAnyJson(
  z
    .looseObject({
      images: entries("Picture", { url, width: pixels, height: pixels }, "Of an image action."),
      videos: entries(
        "Video",
        { url, duration: z.number().meta({ description: "Seconds." }) },
        "Of a video action.",
      ),
      copy: entries(
        "AdText",
        { headline: text, primary_text: text, description: text, call_to_action: text },
        "Of generate-ad-copy.",
      ),
    })
    .partial()
    .meta({
      id: "JobResult",
      description:
        "What a job has made, by its action. Any other JSON is possible: the API's document shows no result.",
      "x-assumed": "A9",
    }),
);

const failure = z.string().meta({
  description: 'Why; "Job expired" after 30 minutes.',
  "x-assumed": ["A8", "A10"],
});

/** A job that is read or listed. Each status has a schema of its own, as Java's generators need. */
export const anyJob = z
  .discriminatedUnion("status", [
    job("queued", "QueuedJob", "Waits for its turn."),
    job("processing", "ProcessingJob", "Under way."),
    job("completed", "CompletedJob", "Finished, with its results.", { result }),
    job("failed", "FailedJob", "Finished, without a result.", { error: failure }),
  ])
  .meta({ id: "Job", description: "A job, by its status.", "x-assumed": "A3" });
