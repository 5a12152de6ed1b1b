/** A user of the fleet. */
import { createClient, isAdGenError } from "adgen-sdk";
import {
  createProcessor,
  type ProcessorOptions,
  resume,
  type SubmissionData,
} from "adgen-sdk/bullmq";
import { createMemoryStore, createSubmissions } from "adgen-sdk/submissions";
import { Queue, Worker } from "bullmq";

export const open = async (): Promise<void> => {
  const connection = { host: "127.0.0.1", port: 6379 };
  const queue = new Queue<SubmissionData>("ads", {
    connection,
    defaultJobOptions: { priority: 1 },
  });
  const submissions = createSubmissions(createMemoryStore());
  const client = createClient({ submissions });
  const onThrottle: ProcessorOptions["onThrottle"] = ({ throttled, error, waitMs }) =>
    console.log(throttled, error.code, waitMs);
  const processor = createProcessor({ client, queue, submissions, onThrottle });
  const worker = new Worker("ads", processor, { connection, metrics: { maxDataPoints: 60 } });
  worker.on("completed", ({ returnvalue }) => console.log(returnvalue.status));
  const request = { action: "generate-ad", prompt: "Summer sale" } as const;
  await queue.add("ad", { request }, { jobId: "order-1" });
  // @ts-expect-error: data without a request
  await queue.add("ad", {}, { jobId: "order-2" });
  for (const { data } of await queue.getFailed()) {
    if (data.doubt !== undefined) await submissions.decide(data.doubt, "drop");
  }
  await resume(queue);
};

/** Returns the message about wrong options, which come before any connection. */
export const use = (): string | undefined => {
  try {
    // @ts-expect-error: nothing of what it needs
    createProcessor({});
  } catch (error) {
    return isAdGenError(error) ? `${error.code}: ${error.message}` : String(error);
  }
  return undefined;
};
