/**
 * A processor for a queue of BullMQ: many machines submit, each job is paid once, and none is lost.
 * Workers share what holds them back in the queue's Redis. This entry may import `contract`, from
 * `client` only `errors`, `options`, `internal` and `polling`, and `bullmq`, which its user installs.
 *
 * @module adgen-sdk/bullmq
 */

export { createProcessor } from "./create-processor.ts";
export { resume } from "./holds.ts";
export type {
  ErrorRecord,
  HoldEvent,
  ProcessorOptions,
  SubmissionData,
} from "./processor-options.ts";
