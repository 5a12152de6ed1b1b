import { brandSchema, deletedSchema } from "./brands.ts";
import { jobSchema, submittedJobSchema } from "./jobs.ts";
import { savedAdSchema } from "./saved-ads.ts";
import type { Schema } from "./schema.ts";

/** The HTTP methods of the API. */
export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** One call of the API, as data: the client sends by it, the mock answers by it. */
export interface Endpoint {
  readonly method: Method;
  /** Relative to the base URL; `:id` stands for one path segment. */
  readonly path: `/v1/${string}`;
  /** The success status that is documented, or assumed where the document shows none. */
  readonly status: 200 | 201 | 202;
  /** What the envelope's `data` holds on success; for a list, what each of its items is. */
  readonly answer: Schema;
  /** For a list: the field of the answer that holds the items. @assumed A4 */
  readonly list?: string;
  /** Costs credits: gets more time, and is never sent twice. */
  readonly paid?: true;
}

/**
 * The calls of the API, named after the methods that make them. Written out: taken from the table,
 * it would bring the table's schemas into every declaration.
 */
export type EndpointName =
  | "jobs.submit"
  | "jobs.get"
  | "jobs.list"
  | "brands.list"
  | "brands.create"
  | "brands.update"
  | "brands.delete"
  | "brands.listAds"
  | "savedAds.create"
  | "savedAds.delete";

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
