import { type Job, type JobsOptions, Queue } from "bullmq";
import { describeValue } from "../errors/text.ts";
import {
  checkOptions,
  isObject,
  milliseconds,
  type Rule,
  refuseArgument,
  refuseOption,
  refuseWrite,
  text,
  wholeNumber,
} from "../options/rules.ts";
import { problemOfId } from "../request/url.ts";
import { sleep } from "../sleep.ts";
import { addLooks, persistence } from "./add-looks.ts";
import { releaseBrake } from "./brakes.ts";
import {
  connectionRule,
  disconnect,
  nameFleet,
  requireConnection,
  wakefulConnection,
} from "./fleet-names.ts";
import { encodeId, requireId } from "./job-id.ts";
import type { JobQueue, JobQueueOptions } from "./job-queue.ts";
import { listHeld } from "./list-held.ts";
import { readSubmission } from "./read-submission.ts";
import { createRecords } from "./records.ts";
import { copyRequest, digestOf } from "./request-digest.ts";
import type { Decision, LookData, SubmissionData } from "./submission.ts";
import { createResultWaits } from "./wait-for-result.ts";
import { runAtMost, withinTime } from "./within-time.ts";

const jobOptionsRule: Rule<JobsOptions> = (value, name, refuse) =>
  isObject(value) ? value : refuse(`${name} must be options of BullMQ's jobs`);

const queueRules = () => ({
  connection: connectionRule,
  name: text(),
  prefix: text(),
  timeoutMs: milliseconds(),
  jobOptions: jobOptionsRule,
});

const addRules = () => ({ priority: wholeNumber(1, 2_097_152), delayMs: milliseconds(0) });

/** Time in which a held submission's BullMQ job comes to its end, in steps of 50 ms. */
const endingSteps = 100;

/** States in which nothing more happens by itself. */
const atRest = ["completed", "failed", "refused", "dropped", "given-up"];

const checkDecision = (decision: unknown): Decision => {
  if (["resubmit", "hold", "drop"].includes(decision as string)) return decision as Decision;
  const { jobId } = isObject(decision) ? decision : {};
  const problem = problemOfId(jobId);
  return problem === undefined
    ? { jobId: jobId as string }
    : refuseArgument(`decision must be { jobId }, "resubmit", "hold" or "drop"; jobId ${problem}`);
};

/**
 * Opens the queue of a fleet. Nothing is submitted here: workers do, see `startJobWorker`.
 *
 * @throws `ConfigError` (`config`) that names an option which is missing or makes no sense.
 * @example
 * const queue = createJobQueue({ connection: { host: "127.0.0.1", port: 6379 } });
 * await queue.add("order-1138", { action: "generate-ad", prompt: "Summer sale" });
 */
export const createJobQueue = (options: JobQueueOptions): JobQueue => {
  const rules = queueRules();
  const defaults = { timeoutMs: 10_000, jobOptions: {} };
  const config = checkOptions("createJobQueue", rules, options, refuseOption, defaults);
  const { timeoutMs, jobOptions } = config;
  const connection = wakefulConnection(requireConnection("createJobQueue", config.connection));
  const names = nameFleet(config.name, config.prefix);
  const { prefix } = names;
  const submissions = new Queue<SubmissionData>(names.submissions, { connection, prefix });
  const looks = new Queue<LookData>(names.looks, { connection, prefix });
  const records = createRecords(names, () => submissions.getBackend().client);
  const queues = { submissions, looks };

  const reading = <T>(what: string, run: () => Promise<T>) =>
    withinTime(what, timeoutMs, false, run);
  const writing = <T>(what: string, run: () => Promise<T>) =>
    withinTime(what, timeoutMs, true, run);
  const get = (id: string) =>
    reading("queue.get", () => readSubmission(queues, records, requireId(id)));
  const waits = createResultWaits(names, connection, get);

  /** Retries a BullMQ job, unless somebody else has just done so. */
  const retry = async (job: Job): Promise<void> => {
    try {
      await job.retry("failed");
    } catch (error) {
      if (await job.isFailed()) throw error;
    }
  };

  /** Waits anew for a job whose looks were removed. */
  const repairLooks = async (id: string): Promise<void> => {
    const record = await records.read(id);
    if (record?.jobId === undefined) return;
    if ((await looks.getJob(encodeId(id))) === undefined) await addLooks(queues, id, record, 0);
  };

  /** Runs the BullMQ job of a held submission again, when it has come to its end. */
  const runAgain = async (id: string): Promise<void> => {
    for (let step = 0; step < endingSteps; step++) {
      const job = await submissions.getJob(encodeId(id));
      if (job === undefined) {
        refuseArgument(`the BullMQ job of ${describeValue(id)} was removed: add it again`);
      } else if (await job.isFailed()) {
        return retry(job);
      } else if (!(await job.isActive())) {
        return;
      }
      await sleep(50);
    }
  };

  return {
    submissions,
    looks,
    get,
    async add(id, request, addOptions = {}) {
      const copy = copyRequest(request);
      const { priority, delayMs } = checkOptions("add", addRules(), addOptions, refuseWrite);
      const { action } = copy;
      const digest = await digestOf(copy);
      const data: SubmissionData = { id: requireId(id), request: copy, digest };
      return writing("queue.add", async () => {
        const added = await records.add(id, digest, action);
        if (added === -1) {
          refuseWrite(`submission ${describeValue(id)} has another request: take another id`);
        }
        await submissions.add(action, data, {
          ...jobOptions,
          ...persistence,
          jobId: encodeId(id),
          ...(priority !== undefined && { priority }),
          ...(delayMs !== undefined && { delay: delayMs }),
        });
        if (added === 0) await repairLooks(id);
        return { id, isNew: added === 1 };
      });
    },
    waitForResult: (id, waitOptions) => waits.wait(requireId(id), waitOptions),
    listHeld: async (given = {}) => listHeld(queues, records, given, reading),
    listContradictions: () => reading("queue.listContradictions", records.contradictions),
    async decide(id, given) {
      const decision = checkDecision(given);
      if (decision === "hold") return;
      await writing("queue.decide", async () => {
        const done = await records.decide(requireId(id), decision);
        if (done === "not-held") refuseArgument(`submission ${describeValue(id)} is not held`);
        if (done.startsWith("owned:")) {
          refuseArgument(`the job belongs to submission ${describeValue(done.slice(6))}`);
        }
        if (done === "decided" && decision !== "drop") await runAgain(id);
      });
    },
    async resume() {
      await writing("queue.resume", async () => {
        await submissions.resume();
        await looks.resume();
        await releaseBrake(queues);
      });
    },
    async forget(id) {
      const found = await get(id);
      if (found === undefined) return;
      if (!atRest.includes(found.state)) {
        refuseWrite(
          `submission ${describeValue(id)} is ${found.state}: it cannot be forgotten yet`,
        );
      }
      await writing("queue.forget", async () => {
        const key = encodeId(id);
        await Promise.all([submissions.remove(key), looks.remove(key)]);
        await records.forget(id);
      });
    },
    async close() {
      const closeAll = async () => {
        await waits.close();
        await Promise.all([submissions.close(), looks.close()]);
      };
      if (await runAtMost(timeoutMs, closeAll)) return;
      for (const queue of [submissions, looks]) disconnect(queue);
    },
  };
};
