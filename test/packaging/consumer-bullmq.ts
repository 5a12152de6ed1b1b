/** A consumer of the fleet: type-checked against the packed package, never run. */
import { createClient } from "adgen-sdk";
import { createJobQueue, type Decision, startJobWorker } from "adgen-sdk/bullmq";

const connection = { host: "127.0.0.1", port: 6379 };
const queue = createJobQueue({ connection, jobOptions: { removeOnComplete: { age: 3_600 } } });
const use = async (): Promise<void> => {
  const { isNew } = await queue.add("order-1", { action: "generate-ad", prompt: "Summer sale" });
  const fresh: boolean = isNew;
  // @ts-expect-error: no action knows this parameter
  await queue.add("order-2", { action: "generate-ad", promt: "Summer sale" });
  const job = await queue.waitForResult("order-1");
  const text: string | undefined = job.status === "failed" ? job.error : undefined;
  for (const { id, candidates } of await queue.listHeld({ client: createClient() })) {
    const [first] = candidates ?? [];
    const decision: Decision = first === undefined ? "hold" : { jobId: first.job_id };
    await queue.decide(id, decision);
  }
  console.log(fresh, text);
};
const worker = startJobWorker({
  connection,
  client: createClient(),
  onUnknown: ({ isComplete }, found) => (isComplete && found?.length === 0 ? "resubmit" : "hold"),
  worker: { metrics: { maxDataPoints: 60 } },
});
worker.looks.on("completed", ({ returnvalue }) => console.log(returnvalue.status));
worker.looks.on("ready", use);
