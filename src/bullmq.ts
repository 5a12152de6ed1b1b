/**
 * A processor for a queue of BullMQ: many machines submit, each job is paid once, and none is lost.
 *
 * @module adgen-sdk/bullmq
 */

export { createProcessor } from "./bullmq/create-processor.ts";
export { resume } from "./bullmq/holds.ts";
export type {
  ErrorRecord,
  HoldEvent,
  ProcessorOptions,
  SubmissionData,
} from "./bullmq/processor-options.ts";
