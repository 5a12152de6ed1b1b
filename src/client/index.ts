/**
 * The typed client of the Ad Generation Service.
 *
 * @module adgen-sdk
 */

// This file lists the public names and nothing else. The client imports `src/contract`, and no
// other entry of the package.

export {
  type Action,
  actions,
  type CreditKind,
  type ImageAction,
  type VideoAction,
} from "../contract/actions.ts";
export type { Brand, CreateBrandRequest, Deleted, UpdateBrandRequest } from "../contract/brands.ts";
export type { EndpointName } from "../contract/endpoint.ts";
export type {
  CompletedJob,
  CopyJobParameters,
  ExtraJobFields,
  ExtraJobParameters,
  FailedJob,
  FinishedJob,
  ImageJobParameters,
  Job,
  JobId,
  JobParameters,
  JobRequest,
  JobStatus,
  SubmittedJob,
  UnfinishedJob,
  VideoJobParameters,
} from "../contract/jobs.ts";
export type { Page } from "../contract/page.ts";
export type { ReachedLimit } from "../contract/proxy-answers.ts";
export type { CreateSavedAdRequest, SavedAd } from "../contract/saved-ads.ts";
export { type RequestResults, submitMany } from "./batch/submit-many.ts";
export type { SubmitClient, SubmitManyOptions } from "./batch/submit-many-options.ts";
export { type AdGenClient, createClient } from "./create-client.ts";
export { AdGenError } from "./errors/adgen-error.ts";
export type { DecodeIssue, ErrorCode, Outcome } from "./errors/error-fields.ts";
export {
  AbortedError,
  type AnyAdGenError,
  ApiError,
  BadRequestError,
  ConfigError,
  ConnectionError,
  DecodeError,
  InDoubtError,
  InvalidRequestError,
  isAdGenError,
  NotFoundError,
  PaymentRequiredError,
  PollTimeoutError,
  StoreError,
  TimeoutError,
  UnauthorizedError,
  UnderWayError,
} from "./errors/errors.ts";
export { type RequestResult, type Result, toResult } from "./errors/result.ts";
export { markAsNotSent } from "./http/failed-fetch.ts";
export type { JobRef, PollClient, ResultOf } from "./http/job-ref.ts";
export type { CallOptions, ListQuery, PostOptions, ResponseInfo } from "./options/call-options.ts";
export type { ClientOptions, ClientSchemas, CustomFetch } from "./options/client-options.ts";
export type {
  ClientHooks,
  DriftEvent,
  FailureEvent,
  RequestEvent,
  ResponseEvent,
} from "./options/hooks.ts";
export type { StandardSchema } from "./options/standard-schema.ts";
export { pollJob } from "./polling/poll-job.ts";
export { type PollJobsOptions, pollJobs, watchJobs } from "./polling/poll-jobs.ts";
export { type PolledOnce, type PollOnceOptions, pollOnce } from "./polling/poll-once.ts";
export type { PollOptions, WaitProgress } from "./polling/poll-options.ts";
export {
  createPollTicket,
  type PollTicket,
  type PollTicketOptions,
} from "./polling/poll-ticket.ts";
export type { Wake } from "./polling/wake.ts";
export { type JobWatch, watchJob } from "./polling/watch-job.ts";
export type { BrandsResource } from "./resources/brands.ts";
export {
  type FindLostJobsOptions,
  findLostJobs,
  type LostJobs,
  type LostJobsClient,
} from "./resources/find-lost-jobs.ts";
export type { JobsResource, SubmitAndPollOptions } from "./resources/jobs.ts";
export type { SavedAdsResource } from "./resources/saved-ads.ts";
