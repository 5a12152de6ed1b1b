/**
 * A processor for a queue of BullMQ: many machines submit, each job is paid once, and none is lost.
 * It adds to BullMQ what each start of a job does, and keeps shared state in the queue's Redis. It may
 * import `contract`, insides of `client`, and `bullmq`, which its user installs.
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
