import type * as z from "zod";
import type { CallWithBody, EndpointName } from "../../src/contract/endpoint.ts";
import type { Assumption } from "./assumptions.ts";
import { anyJob, jobRequest, submittedJob } from "./job-schemas.ts";
import {
  brandSchema,
  createBrandRequest,
  createSavedAdRequest,
  deletedSchema,
  savedAd,
  updateBrandRequest,
} from "./library-schemas.ts";

/** Texts and schemas of an endpoint, which the contract does not have. */
export interface OperationDetail {
  readonly summary: string;
  readonly description: string;
  /** Schema of the answer's data, or of each item if the answer is a list. */
  readonly answer: z.ZodType;
  /** Assumption that the success status rests on; absent where it is documented. */
  readonly assumedStatus?: Assumption;
  /** Another assumption that the operation rests on. */
  readonly assumed?: Assumption;
  /** Statuses of failures, besides 401 and those that every request may meet. */
  readonly failures: readonly (400 | 402 | 404)[];
  /** The answer about an unfinished job tells in `Retry-After` when to ask again. */
  readonly retryAfter?: true;
}

/** The schema of the body, which each request with a body needs. */
type BodyOf<Name> = Name extends CallWithBody
  ? { readonly body: z.ZodType }
  : { readonly body?: undefined };

/** Operations by endpoint, in the order of the API's document. */
export const operations: {
  readonly [Name in EndpointName]: OperationDetail & BodyOf<Name>;
} = {
  "jobs.submit": {
    summary: "Submit a generation job",
    description:
      "Image actions cost one image credit a variation, video actions cost video credits, generate-ad-copy is free. Credits are taken at once (A13), monthly ones first. Nothing makes a second submission safe: each one is a job of its own.",
    body: jobRequest,
    answer: submittedJob,
    failures: [400, 402, 404],
    retryAfter: true,
  },
  "jobs.get": {
    summary: "Get job status and results",
    description: "Poll until the status is completed or failed. A failed job is a 200 too.",
    answer: anyJob,
    failures: [404],
    retryAfter: true,
  },
  "jobs.list": {
    summary: "List recent jobs",
    description: "The newest first: at most 100, unless a limit is given (A4).",
    answer: anyJob,
    failures: [400],
  },
  "brands.list": {
    summary: "List the caller's brands",
    description: "All of them, the newest first, unless a limit is given.",
    answer: brandSchema,
    failures: [400],
  },
  "brands.create": {
    summary: "Create a brand",
    description: "Keeps every field that is sent, and adds an id and times.",
    body: createBrandRequest,
    answer: brandSchema,
    failures: [400],
  },
  "brands.update": {
    summary: "Update a brand",
    description: "Changes the fields that are sent and keeps the others.",
    body: updateBrandRequest,
    answer: brandSchema,
    assumedStatus: "A7",
    failures: [400, 404],
  },
  "brands.delete": {
    summary: "Delete a brand",
    description: "Its saved ads stay, and can be deleted by their ids (A17).",
    assumed: "A17",
    answer: deletedSchema,
    assumedStatus: "A7",
    failures: [404],
  },
  "brands.listAds": {
    summary: "List saved ads of a brand",
    description: "All of them, the newest first, unless a limit is given.",
    answer: savedAd,
    failures: [400, 404],
  },
  "savedAds.create": {
    summary: "Save an ad to the library",
    description: "Keeps every field that is sent, and adds an id and a time.",
    body: createSavedAdRequest,
    answer: savedAd,
    failures: [400, 404],
  },
  "savedAds.delete": {
    summary: "Delete a saved ad",
    description: "It is gone at once.",
    answer: deletedSchema,
    assumedStatus: "A7",
    failures: [404],
  },
};
