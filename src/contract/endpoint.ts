import { type Brand, brandSchema, type Deleted, deletedSchema } from "./brands.ts";
import { type Job, jobSchema, type SubmittedJob, submittedJobSchema } from "./jobs.ts";
import type { Page } from "./page.ts";
import { type SavedAd, savedAdSchema } from "./saved-ads.ts";
import type { SchemaSource } from "./schema.ts";

/** The HTTP methods of the API. */
export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** Kinds of things that the service keeps for an account. */
export type Kind = "job" | "brand" | "ad";

/** Field of a thing that holds its id. */
export const idFields = { job: "job_id", brand: "id", ad: "id" } as const satisfies Record<
  Kind,
  string
>;

/** One call of the API, as data: the client sends by it, the mock answers by it. */
export interface Endpoint {
  readonly method: Method;
  /** Relative to the base URL; `:id` stands for one path segment. */
  readonly path: `/v1/${string}`;
  /** The success status that is documented, or assumed where the document shows none. */
  readonly status: 200 | 201 | 202;
  /** Schema of the envelope's `data` on success; for a list, of each of its items. */
  readonly answer: SchemaSource;
  /** For a list: the field of the answer that holds the items. @assumed A4 */
  readonly list?: string;
  /** Kind of the thing that `:id` names. */
  readonly names?: Kind;
  /** Kind of the thing that a success has made. */
  readonly creates?: Kind;
  /** Kind of the items of a list. */
  readonly lists?: Kind;
  /** Costs credits: the call gets more time, and its errors speak of a job that may exist. */
  readonly paid?: true;
}

/** The data of each call's answer. The calls are named after the methods that make them. */
export interface Answers {
  "jobs.submit": SubmittedJob;
  "jobs.get": Job;
  "jobs.list": Page<Job>;
  "brands.list": Page<Brand>;
  "brands.create": Brand;
  "brands.update": Brand;
  "brands.delete": Deleted;
  "brands.listAds": Page<SavedAd>;
  "savedAds.create": SavedAd;
  "savedAds.delete": Deleted;
}

/** The calls of the API. */
export type EndpointName = keyof Answers;

/** Every endpoint of the document (section 4), keyed by the method that calls it. */
export const endpoints = {
  "jobs.submit": {
    method: "POST",
    path: "/v1/jobs",
    status: 202,
    answer: submittedJobSchema,
    creates: "job",
    paid: true,
  },
  "jobs.get": {
    method: "GET",
    path: "/v1/jobs/:id",
    status: 200,
    answer: jobSchema,
    names: "job",
  },
  "jobs.list": {
    method: "GET",
    path: "/v1/jobs",
    status: 200,
    answer: submittedJobSchema,
    list: "jobs",
    lists: "job",
  },
  "brands.list": {
    method: "GET",
    path: "/v1/brands",
    status: 200,
    answer: brandSchema,
    list: "brands",
    lists: "brand",
  },
  "brands.create": {
    method: "POST",
    path: "/v1/brands",
    status: 201,
    answer: brandSchema,
    creates: "brand",
  },
  /** The success status is assumed. @assumed A7 */
  "brands.update": {
    method: "PATCH",
    path: "/v1/brands/:id",
    status: 200,
    answer: brandSchema,
    names: "brand",
  },
  /** The success status is assumed. @assumed A7 */
  "brands.delete": {
    method: "DELETE",
    path: "/v1/brands/:id",
    status: 200,
    answer: deletedSchema,
    names: "brand",
  },
  "brands.listAds": {
    method: "GET",
    path: "/v1/brands/:id/ads",
    status: 200,
    answer: savedAdSchema,
    list: "ads",
    lists: "ad",
    names: "brand",
  },
  "savedAds.create": {
    method: "POST",
    path: "/v1/saved-ads",
    status: 201,
    answer: savedAdSchema,
    creates: "ad",
  },
  /** The success status is assumed. @assumed A7 */
  "savedAds.delete": {
    method: "DELETE",
    path: "/v1/saved-ads/:id",
    status: 200,
    answer: deletedSchema,
    names: "ad",
  },
} as const satisfies Record<EndpointName, Endpoint>;
