/**
 * The typed client of the Ad Generation Service.
 *
 * @module adgen-sdk
 */

export { markAsNotSent } from "./answer/failed-fetch.ts";
export type { StandardSchema } from "./answer/standard-schema.ts";
export { type RequestResults, submitMany } from "./batch/submit-many.ts";
export type { SubmitClient, SubmitManyOptions } from "./batch/submit-many-options.ts";
export { type AdGenClient, createClient } from "./client.ts";
export {
  type Action,
  actions,
  type CreditKind,
  type ImageAction,
  type VideoAction,
} from "./contract/actions.ts";
export type { Brand, CreateBrandRequest, Deleted, UpdateBrandRequest } from "./contract/brands.ts";
export type {
  CompletedJob,
  CopyJobRequest,
  ExtraJobFields,
  ExtraJobParameters,
  FailedJob,
  FinishedJob,
  ImageJobRequest,
  Job,
  JobId,
  JobRequest,
  JobStatus,
  RequestOf,
  SubmittedJob,
  UnfinishedJob,
  VideoJobRequest,
} from "./contract/jobs.ts";
export type { Page } from "./contract/page.ts";
export type { CreateSavedAdRequest, SavedAd } from "./contract/saved-ads.ts";
export type { TraceEvents } from "./diagnostics.ts";
export { AdGenError } from "./errors/adgen-error.ts";
export type { Doubt, SubmissionFacts } from "./errors/doubt.ts";
export type { ErrorCode, Outcome } from "./errors/error-fields.ts";
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
export type { ClientHooks } from "./hooks.ts";
export type { CallOptions, PostOptions } from "./options/call-options.ts";
export type { ClientOptions, ClientSchemas } from "./options/client-options.ts";
export { pollJob } from "./polling/poll-job.ts";
export { type PollJobsOptions, pollJobs } from "./polling/poll-jobs.ts";
export { type PolledOnce, pollOnce } from "./polling/poll-once.ts";
export type { PollOptions, WaitProgress } from "./polling/poll-options.ts";
export { createPollTicket, type PollTicket } from "./polling/poll-ticket.ts";
export { type JobWatch, watchJob } from "./polling/watch-job.ts";
export { watchJobs } from "./polling/watch-jobs.ts";
export type { JobRef, PollClient, ResultOf } from "./request/job-ref.ts";
export type { ListQuery } from "./request/url.ts";
export type { BrandsResource } from "./resources/brands.ts";
export { findLostJobs, type LostJobs } from "./resources/find-lost-jobs.ts";
export type { JobsResource } from "./resources/jobs.ts";
export { recoverJobs } from "./resources/recover-jobs.ts";
export type { SavedAdsResource } from "./resources/saved-ads.ts";
export { type RequestResult, type Result, toResult } from "./result.ts";
export type { OpenSubmissions, RecoverOptions } from "./submissions/submissions.ts";
