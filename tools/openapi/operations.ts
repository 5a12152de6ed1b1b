import type { EndpointName } from "../../src/contract/endpoint.ts";
import type { Assumption } from "./assumptions.ts";
import type { SchemaObject } from "./schema-object.ts";

/** What the document says of an endpoint beside the contract's own facts. */
export interface OperationDetail {
  readonly tag: "Jobs" | "Brands" | "Saved ads";
  readonly summary: string;
  readonly description?: string;
  /** The schema of the body, where it takes one. */
  readonly body?: string;
  /** The schema of the answer's data; of a list, that of its items. */
  readonly answer: string;
  /** Where the success status is not documented. */
  readonly assumedStatus?: Assumption;
  readonly answerOrigin: SchemaObject;
  /** Failures beside 401 and whatever may happen to every request. */
  readonly failures: readonly (400 | 402 | 404)[];
  /** Answers of unfinished jobs say when to ask again. */
  readonly retryAfter?: true;
}

/** By endpoint, in the order of the API's document. */
export const operations: Readonly<Record<EndpointName, OperationDetail>> = {
  "jobs.submit": {
    tag: "Jobs",
    summary: "Submit a generation job",
    description:
      "Image actions cost one image credit a variation, video actions cost video credits, generate-ad-copy is free. Credits are taken at once (A13), monthly ones first. Nothing makes a second submission safe: each one is a job of its own.",
    body: "JobRequest",
    answer: "SubmittedJob",
    answerOrigin: { "x-documented": "4. Jobs" },
    failures: [400, 402, 404],
    retryAfter: true,
  },
  "jobs.get": {
    tag: "Jobs",
    summary: "Get job status and results",
    description: "Poll until the status is completed or failed. A failed job is a 200 too.",
    answer: "Job",
    answerOrigin: { "x-assumed": "A3" },
    failures: [404],
    retryAfter: true,
  },
  "jobs.list": {
    tag: "Jobs",
    summary: "List recent jobs",
    answer: "Job",
    answerOrigin: { "x-assumed": ["A3", "A4"] },
    failures: [400],
  },
  "brands.list": {
    tag: "Brands",
    summary: "List the caller's brands",
    answer: "Brand",
    answerOrigin: { "x-assumed": ["A4", "A5"] },
    failures: [400],
  },
  "brands.create": {
    tag: "Brands",
    summary: "Create a brand",
    body: "CreateBrandRequest",
    answer: "Brand",
    answerOrigin: { "x-assumed": "A5" },
    failures: [400],
  },
  "brands.update": {
    tag: "Brands",
    summary: "Update a brand",
    description: "Changes the fields that are sent and keeps the others.",
    body: "UpdateBrandRequest",
    answer: "Brand",
    assumedStatus: "A7",
    answerOrigin: { "x-assumed": ["A5", "A7"] },
    failures: [400, 404],
  },
  "brands.delete": {
    tag: "Brands",
    summary: "Delete a brand",
    description: "Its saved ads stay, and can be deleted by their ids (A17).",
    answer: "Deleted",
    assumedStatus: "A7",
    answerOrigin: { "x-assumed": ["A7", "A17"] },
    failures: [404],
  },
  "brands.listAds": {
    tag: "Brands",
    summary: "List saved ads of a brand",
    answer: "SavedAd",
    answerOrigin: { "x-assumed": ["A4", "A6"] },
    failures: [400, 404],
  },
  "savedAds.create": {
    tag: "Saved ads",
    summary: "Save an ad to the library",
    body: "CreateSavedAdRequest",
    answer: "SavedAd",
    answerOrigin: { "x-assumed": "A6" },
    failures: [400, 404],
  },
  "savedAds.delete": {
    tag: "Saved ads",
    summary: "Delete a saved ad",
    answer: "Deleted",
    assumedStatus: "A7",
    answerOrigin: { "x-assumed": "A7" },
    failures: [404],
  },
};
