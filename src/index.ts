/**
 * The typed client of the Ad Generation Service.
 *
 * @module adgen-sdk
 */

export { markAsNotSent } from "./answer/failed-fetch.ts";
export type {
  SchemaOutput,
  StandardIssue,
  StandardResult,
  StandardSchema,
} from "./answer/standard-schema.ts";
export {
  type KnownRequestsOnly,
  type RequestResult,
  type RequestResultOf,
  type RequestResults,
  submitMany,
} from "./batch/submit-many.ts";
export type {
  JobSubmitter,
  SubmitClient,
  SubmitManyOptions,
} from "./batch/submit-many-options.ts";
export { type AdGenClient, createClient } from "./client.ts";
export {
  type Action,
  actions,
  type CopyAction,
  type CreditKind,
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
  ExtraJobFields,
  ExtraJobParameters,
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
export type { KnownParametersOnly, UnknownParameter } from "./contract/known-parameters.ts";
export type { Page } from "./contract/page.ts";
export type { LimitKind, ReachedLimit } from "./contract/reached-limit.ts";
export type { CreateSavedAdRequest, SavedAd } from "./contract/saved-ads.ts";
export type { PollTrace, SubmitTrace, WaitTrace } from "./diagnostics.ts";
export { AdGenError } from "./errors/adgen-error.ts";
export type { Doubt, SubmissionFacts } from "./errors/doubt.ts";
export type {
  ClientErrorCode,
  DecodeIssue,
  DecodeReason,
  ErrorCode,
  ErrorFields,
  Outcome,
  ServiceErrorCode,
} from "./errors/error-fields.ts";
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
export type {
  ClientHooks,
  DriftEvent,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
} from "./hooks.ts";
export type { CallOptions, PostOptions, ResponseInfo } from "./options/call-options.ts";
export type {
  ClientOptions,
  ClientSchemas,
  CustomFetch,
  KyLike,
} from "./options/client-options.ts";
export type { OnceOptions } from "./options/rules.ts";
export type { LastingFailure } from "./polling/failures.ts";
export { pollJob } from "./polling/poll-job.ts";
export { type PollJobsOptions, pollJobs } from "./polling/poll-jobs.ts";
export { type PolledOnce, type PollOnceOptions, pollOnce } from "./polling/poll-once.ts";
export type { PollOptions, WaitProgress } from "./polling/poll-options.ts";
export {
  createPollTicket,
  type PollTicket,
  type PollTicketOptions,
} from "./polling/poll-ticket.ts";
export type {
  DurationsSnapshot,
  LearnedDurations,
} from "./polling/schedule/durations.ts";
export { createLearnedDurations } from "./polling/schedule/durations.ts";
export type { Estimate, SeenDuration } from "./polling/schedule/plan.ts";
export { createWaker, type Waker } from "./polling/waker.ts";
export { type JobWatch, watchJob } from "./polling/watch-job.ts";
export { type SettledJob, watchJobs } from "./polling/watch-jobs.ts";
export type { JobReader, JobRef, PollClient, ResultOf } from "./request/job-ref.ts";
export type { ListQuery } from "./request/url.ts";
export type { BrandOf, BrandsResource } from "./resources/brands.ts";
export {
  type FindLostJobsOptions,
  findLostJobs,
  type LostJobs,
  type LostJobsClient,
} from "./resources/find-lost-jobs.ts";
export type { JobsResource } from "./resources/jobs.ts";
export { recoverJobs } from "./resources/recover-jobs.ts";
export type { SavedAdOf, SavedAdsResource } from "./resources/saved-ads.ts";
export { type Result, toResult } from "./result.ts";
export type { Decision } from "./submissions/decide.ts";
export type {
  DamagedRecord,
  OpenSubmissions,
  SubmissionUnderWay,
  WaitingSubmission,
} from "./submissions/list-open.ts";
export type { RecoveredSubmissions, RecoverOptions } from "./submissions/recover.ts";
