import { type Action, type JobRequest, type SubmitClient, submitMany } from "adgen-sdk";
import { row } from "./print.ts";

/** Number of jobs of each kind: the more a client has seen, the better it knows when to look. */
const jobsEach = 12;

/**
 * Runs a few small jobs of each kind, all at once. Afterwards the client knows how long such jobs
 * take. Gives their ids, and the mean number of polls of a job, by action.
 */
export const runSmallBatch = async (
  client: SubmitClient,
  kinds: readonly JobRequest[],
  intervalMs: number,
): Promise<{ jobIds: string[]; polls: Map<Action, number> }> => {
  const requests = kinds.flatMap((request) => Array<JobRequest>(jobsEach).fill(request));
  const polls = new Map<Action, number>(kinds.map(({ action }) => [action, 0]));
  const unfinished = new Map<Action, number>(kinds.map(({ action }) => [action, jobsEach]));
  const actionAt = (index: number): Action => requests[index]?.action ?? "generate-ad";
  const add = (counts: Map<Action, number>, action: Action, count: number): number => {
    const sum = (counts.get(action) ?? 0) + count;
    counts.set(action, sum);
    return sum;
  };

  const startedAt = performance.now();
  const results = submitMany(client, requests, {
    concurrency: requests.length,
    maxImageCredits: 20,
    intervalMs,
    onUpdate: (_job, _progress, index) => add(polls, actionAt(index), 1 / jobsEach),
  });
  for await (const { index, ok, error } of results) {
    if (!ok) throw error;
    const action = actionAt(index);
    if (add(unfinished, action, -1) > 0) continue;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    row(action, `${jobsEach} jobs`, "completed", `${seconds} s`);
  }
  return { jobIds: Array.from(results.submitted.values(), ({ job_id }) => job_id), polls };
};
