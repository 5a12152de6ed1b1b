import { type Brand, brandSchema, type Deleted, deletedSchema } from "./brands.ts";
import { type Job, jobSchema, type SubmittedJob, submittedJobSchema } from "./jobs.ts";
import type { Page } from "./page.ts";
import { type SavedAd, savedAdSchema } from "./saved-ads.ts";
import type { SchemaSource } from "./schema.ts";

/** The HTTP methods of the API. */
export type Method = "GET" | "POST" | "PATCH" | "DELETE";

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

/** The resources of the client: each call's name begins with one. */
export type ResourceName<N = EndpointName> = N extends `${infer R}.${string}` ? R : never;

/** Every endpoint of the document (section 4), keyed by the method that calls it. */
export const endpoints = {
  "jobs.submit": {
    method: "POST",
    path: "/v1/jobs",
    status: 202,
    answer: submittedJobSchema,
    paid: true,
  },
  "jobs.get": { method: "GET", path: "/v1/jobs/:id", status: 200, answer: jobSchema },
  "jobs.list": {
    method: "GET",
    path: "/v1/jobs",
    status: 200,
    answer: submittedJobSchema,
    list: "jobs",
  },
  "brands.list": {
    method: "GET",
    path: "/v1/brands",
    status: 200,
    answer: brandSchema,
    list: "brands",
  },
  "brands.create": {
    method: "POST",
    path: "/v1/brands",
    status: 201,
    answer: brandSchema,
  },
  /** The success status is assumed. @assumed A7 */
  "brands.update": {
    method: "PATCH",
    path: "/v1/brands/:id",
    status: 200,
    answer: brandSchema,
  },
  /** The success status is assumed. @assumed A7 */
  "brands.delete": {
    method: "DELETE",
    path: "/v1/brands/:id",
    status: 200,
    answer: deletedSchema,
  },
  "brands.listAds": {
    method: "GET",
    path: "/v1/brands/:id/ads",
    status: 200,
    answer: savedAdSchema,
    list: "ads",
  },
  "savedAds.create": {
    method: "POST",
    path: "/v1/saved-ads",
    status: 201,
    answer: savedAdSchema,
  },
  /** The success status is assumed. @assumed A7 */
  "savedAds.delete": {
    method: "DELETE",
    path: "/v1/saved-ads/:id",
    status: 200,
    answer: deletedSchema,
  },
} as const satisfies Record<EndpointName, Endpoint>;
