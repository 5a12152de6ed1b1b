/**
 * The typed client of the Ad Generation Service.
 *
 * @module adgen-sdk
 */
export type { CallOptions, ResponseInfo } from "./call-options.ts";
export { type AdGenClient, createClient } from "./client.ts";
export type { ClientOptions, ClientSchemas } from "./config.ts";
export {
  type Action,
  actions,
  type CopyAction,
  type ImageAction,
  type VideoAction,
} from "./contract/actions.ts";
export type {
  Brand,
  CreateBrandRequest,
  Deleted,
  UpdateBrandRequest,
} from "./contract/brands.ts";
export type { Method } from "./contract/endpoint.ts";
export type {
  CompletedJob,
  CopyJobRequest,
  FailedJob,
  FinishedJob,
  ImageJobRequest,
  Job,
  JobFields,
  JobId,
  JobParameters,
  JobRequest,
  JobStatus,
  SubmittedJob,
  UnfinishedJob,
  VideoJobRequest,
} from "./contract/jobs.ts";
export type { Page } from "./contract/page.ts";
export type { CreateSavedAdRequest, SavedAd } from "./contract/saved-ads.ts";
export type {
  ClientErrorCode,
  DecodeIssue,
  ErrorCode,
  ErrorContext,
  Outcome,
  ServiceErrorCode,
} from "./error-context.ts";
export {
  AbortedError,
  AdGenError,
  ApiError,
  BadRequestError,
  ConfigError,
  ConnectionError,
  DecodeError,
  InvalidRequestError,
  isAdGenError,
  NotFoundError,
  PaymentRequiredError,
  PollTimeoutError,
  TimeoutError,
  UnauthorizedError,
} from "./errors.ts";
export type {
  ClientHooks,
  DriftEvent,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
} from "./hooks.ts";
export { pollJob } from "./polling/poll-job.ts";
export { type PollJobsOptions, pollJobs } from "./polling/poll-jobs.ts";
export type { PollOptions } from "./polling/poll-options.ts";
export { type PollClient, watchJob } from "./polling/watch-job.ts";
export type { ListOptions, ListQuery } from "./query.ts";
export type { BrandOf, BrandsResource } from "./resources/brands.ts";
export type { JobRef, ResultOf } from "./resources/job-ref.ts";
export type { JobReader, JobsResource } from "./resources/jobs.ts";
export type { SavedAdOf, SavedAdsResource } from "./resources/saved-ads.ts";
export { type Result, toResult } from "./result.ts";
export type {
  SchemaOutput,
  StandardIssue,
  StandardResult,
  StandardSchema,
} from "./standard-schema.ts";
