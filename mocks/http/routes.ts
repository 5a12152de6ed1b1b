import type { CreateBrandRequest, UpdateBrandRequest } from "../../src/contract/brands.ts";
import type { CallWithBody, EndpointName } from "../../src/contract/endpoint.ts";
import type { CreateSavedAdRequest } from "../../src/contract/saved-ads.ts";
import { answerPoll, defaultListLength, listJobs } from "../domain/jobs.ts";
import {
  createBrand,
  createSavedAd,
  deleteBrand,
  deleteSavedAd,
  listBrands,
  listSavedAds,
  updateBrand,
} from "../domain/library.ts";
import { assumedMessages, Refusal } from "../domain/messages.ts";
import type { Context } from "../domain/state.ts";
import { type Submission, submitJob } from "../domain/submit-job.ts";

/** A request that has passed the checks of its endpoint. */
export interface CheckedCall<Body = unknown> extends Context {
  /** Decoded `:id` of the path; empty if the path has no `:id`. */
  readonly id: string;
  /** The checked body; `undefined` if the endpoint takes none. */
  readonly body: Body;
  readonly url: URL;
}

/** The result of an operation that the service has carried out. */
export interface OperationResult {
  readonly data: unknown;
  /** Milliseconds that the client should wait before its next request. */
  readonly retryAfterMs?: number | undefined;
  /** Id of the job that the operation created. */
  readonly jobId?: string;
}

/** Types of the bodies that have passed the checks of their endpoints. */
interface Bodies {
  "jobs.submit": Submission;
  "brands.create": CreateBrandRequest;
  "brands.update": UpdateBrandRequest;
  "savedAds.create": CreateSavedAdRequest;
}

type BodyOf<Name extends EndpointName> = Name extends CallWithBody ? Bodies[Name] : undefined;

/** @assumed A4 */
const limitOf = ({ url }: CheckedCall, fallback = Number.POSITIVE_INFINITY): number => {
  const limit = url.searchParams.get("limit");
  if (limit === null) return fallback;
  if (/^[1-9]\d{0,8}$/.test(limit)) return Number(limit);
  throw new Refusal(
    "invalid",
    assumedMessages.invalidParameter("limit", "expected a positive integer"),
  );
};

/** The operation of each endpoint: the map of the mock. */
export const routes: {
  readonly [Name in EndpointName]: (call: CheckedCall<BodyOf<Name>>) => OperationResult;
} = {
  "jobs.submit": (call) => {
    const data = submitJob(call, call.body);
    // Don't make the client wait: the test may move the mock's clock before the first poll.
    return { data, retryAfterMs: 0, jobId: data.job_id };
  },
  "jobs.get": (call) => answerPoll(call, call.id),
  "jobs.list": (call) => ({ data: { jobs: listJobs(call, limitOf(call, defaultListLength)) } }),
  "brands.list": (call) => ({ data: { brands: listBrands(call, limitOf(call)) } }),
  "brands.create": (call) => ({ data: createBrand(call, call.body) }),
  "brands.update": (call) => ({ data: updateBrand(call, call.id, call.body) }),
  "brands.delete": (call) => ({ data: deleteBrand(call, call.id) }),
  "brands.listAds": (call) => ({ data: { ads: listSavedAds(call, call.id, limitOf(call)) } }),
  "savedAds.create": (call) => ({ data: createSavedAd(call, call.body) }),
  "savedAds.delete": (call) => ({ data: deleteSavedAd(call, call.id) }),
};
