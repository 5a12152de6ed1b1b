/**
 * A processor for a queue of BullMQ: many machines submit, each job is paid once, and none is lost.
 * The folder imports `bullmq`, the contract, and the poll loop and helpers of the client.
 *
 * @module adgen-sdk/bullmq
 */

export { createProcessor } from "./create-processor.ts";
export type {
  ErrorRecord,
  ProcessorOptions,
  SubmissionData,
  ThrottleEvent,
} from "./processor-options.ts";
export { resume } from "./throttle.ts";
