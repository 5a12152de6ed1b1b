/** A consumer of the fleet: type-checked against the packed package, never run. */
import { createClient } from "adgen-sdk";
import { createProcessor, type HoldEvent, resume, type SubmissionData } from "adgen-sdk/bullmq";
import { createMemoryStore, createSubmissions } from "adgen-sdk/submissions";
import { Queue, Worker } from "bullmq";

const connection = { host: "127.0.0.1", port: 6379 };
const queue = new Queue<SubmissionData>("ads", { connection, defaultJobOptions: { priority: 1 } });
const submissions = createSubmissions(createMemoryStore());
const client = createClient({ submissions });
const onHold = ({ held, error, waitMs }: HoldEvent) => console.log(held, error.code, waitMs);
const processor = createProcessor({ client, queue, submissions, onHold });
const worker = new Worker("ads", processor, { connection, metrics: { maxDataPoints: 60 } });
const request = { action: "generate-ad", prompt: "Summer sale" } as const;
const use = async (): Promise<void> => {
  await queue.add("ad", { request }, { jobId: "order-1" });
  // @ts-expect-error: data without a request
  await queue.add("ad", {}, { jobId: "order-2" });
  for (const { data } of await queue.getFailed()) {
    if (data.doubt !== undefined) await submissions.decide(data.doubt, "drop");
  }
  await resume(queue);
};
worker.on("completed", ({ returnvalue }) => console.log(returnvalue.status));
worker.on("ready", use);
