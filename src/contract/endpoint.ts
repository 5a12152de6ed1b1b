import { type Brand, brandFields, type Deleted, deletedFields } from "./brands.ts";
import { type Job, jobFields, type SubmittedJob, submittedJobFields } from "./jobs.ts";
import type { Page } from "./page.ts";
import { type SavedAd, savedAdFields } from "./saved-ads.ts";
import type { FieldTypes } from "./schema.ts";

/** The HTTP methods of the API. */
export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** Kinds of resources that the service keeps for an account. @inline */
export type ResourceKind = "job" | "brand" | "ad";

/** The field that holds the id of a resource, by kind. */
export const idFields = { job: "job_id", brand: "id", ad: "id" } as const satisfies Record<
  ResourceKind,
  string
>;

/** Facts that every endpoint has. */
interface EndpointFacts {
  readonly method: Method;
  /** Path below the base URL, in which `:id` stands for one segment. */
  readonly path: `/v1/${string}`;
  /** The success status that is documented, or assumed where the document shows none. */
  readonly status: 200 | 201 | 202;
  /** Fields that `data` must have on success, or that each item of a list must have. */
  readonly answer: FieldTypes;
}

/**
 * An endpoint that creates a resource. It takes an id by which a call and its repeats are carried
 * out once.
 */
interface CreatesResource {
  readonly creates: ResourceKind;
  /** Without a body, nothing would keep a runtime from sending the POST twice. */
  readonly takesBody: true;
  /**
   * Whether the call costs credits. It then gets more time, and its errors mention a possible job.
   */
  readonly paid?: true;
  readonly names?: undefined;
  readonly list?: undefined;
  readonly lists?: undefined;
}

/** An endpoint that lists resources of the account, or those below the resource of `:id`. */
interface ListsResources {
  /** Kind of the items. */
  readonly lists: ResourceKind;
  /** Field of the answer that holds the items. @assumed A4 */
  readonly list: string;
  /** Kind of the resource that `:id` names. */
  readonly names?: ResourceKind;
  readonly creates?: undefined;
  readonly takesBody?: undefined;
  readonly paid?: undefined;
}

/** An endpoint that reads, changes or deletes the resource of `:id`. */
interface NamesResource {
  readonly names: ResourceKind;
  /** Whether a request has a body, as a change has. */
  readonly takesBody?: true;
  readonly creates?: undefined;
  readonly paid?: undefined;
  readonly list?: undefined;
  readonly lists?: undefined;
}

/** What an endpoint does, and to which kind of resource. The proxy decides by it who may call. */
type EndpointRole = CreatesResource | ListsResources | NamesResource;

/** One call of the API, as data from which the client makes requests and the mock answers them. */
export type Endpoint = EndpointFacts & EndpointRole;

/** The data of each call's response. A call is named after the client's method that makes it. */
export interface ResponseData {
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

/** Names of the API's calls. Each is named after its method, such as `"jobs.get"`. */
export type EndpointName = keyof ResponseData;

/** Builds a row of the table. The mark below lets bundlers drop the table if nothing uses it. */
/* @__NO_SIDE_EFFECTS__ */
const row = <Answer extends FieldTypes, const Role extends EndpointRole>(
  method: Method,
  path: Endpoint["path"],
  status: Endpoint["status"],
  answer: Answer,
  role: Role,
) => ({ method, path, status, answer, ...role });

/** Every endpoint of the document (section 4), keyed by the method that calls it. */
export const endpoints = {
  "jobs.submit": row("POST", "/v1/jobs", 202, submittedJobFields, {
    creates: "job",
    takesBody: true,
    paid: true,
  }),
  "jobs.get": row("GET", "/v1/jobs/:id", 200, jobFields, { names: "job" }),
  "jobs.list": row("GET", "/v1/jobs", 200, submittedJobFields, { list: "jobs", lists: "job" }),
  "brands.list": row("GET", "/v1/brands", 200, brandFields, { list: "brands", lists: "brand" }),
  "brands.create": row("POST", "/v1/brands", 201, brandFields, {
    creates: "brand",
    takesBody: true,
  }),
  /** The success status is assumed. @assumed A7 */
  "brands.update": row("PATCH", "/v1/brands/:id", 200, brandFields, {
    names: "brand",
    takesBody: true,
  }),
  /** The success status is assumed. @assumed A7 */
  "brands.delete": row("DELETE", "/v1/brands/:id", 200, deletedFields, { names: "brand" }),
  "brands.listAds": row("GET", "/v1/brands/:id/ads", 200, savedAdFields, {
    names: "brand",
    list: "ads",
    lists: "ad",
  }),
  "savedAds.create": row("POST", "/v1/saved-ads", 201, savedAdFields, {
    creates: "ad",
    takesBody: true,
  }),
  /** The success status is assumed. @assumed A7 */
  "savedAds.delete": row("DELETE", "/v1/saved-ads/:id", 200, deletedFields, { names: "ad" }),
} as const satisfies Record<EndpointName, Endpoint>;

/** Names of the calls that create a resource. */
export type Creation = {
  [Name in EndpointName]: (typeof endpoints)[Name] extends CreatesResource ? Name : never;
}[EndpointName];

/** Names of the calls whose requests have a body. */
export type CallWithBody = {
  [Name in EndpointName]: (typeof endpoints)[Name] extends { takesBody: true } ? Name : never;
}[EndpointName];
