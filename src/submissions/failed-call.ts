import { addFields, showCaller } from "../errors/adgen-error.ts";
import type { Doubt } from "../errors/doubt.ts";
import { isAdGenError } from "../errors/errors.ts";
import type { SendPaid, Verdict } from "./begin.ts";
import { type Clock, waitAtMost } from "./clock.ts";
import type { RecentJobs } from "./recover.ts";
import type { PaidCall } from "./submissions.ts";

/** Says what the record of a POST is to be after an error. */
const judgeFailure = (error: unknown): Verdict => {
  const { outcome = "unknown", jobId } = isAdGenError(error) ? error : {};
  if (outcome !== "unknown") return { verdict: "free", error };
  // A broken answer has named its job.
  return jobId === undefined ? { verdict: "doubt", error } : { verdict: "settled", jobId, error };
};

/** Has a sender that throws give the verdict of its error. */
export const judging =
  (send: SendPaid): SendPaid =>
  (turn) =>
    send(turn).catch(judgeFailure);

/**
 * Adds to an error of the records the facts of its call. A doubt gets its candidates too, or none
 * where the service does not answer in the time that the call has left.
 *
 * @param addCandidates - Asks the service for jobs that a submission in doubt may have made
 */
export const describeFailure = async (
  error: unknown,
  { request, jobs, timeoutMs, signal }: PaidCall,
  clock: Clock,
  startedAt: number,
  addCandidates: (doubts: readonly Doubt[], jobs: RecentJobs) => Promise<readonly Doubt[]>,
): Promise<unknown> => {
  if (!isAdGenError(error)) return error;
  const elapsedMs = () => Math.round(clock.now() - startedAt);
  if (error.code === "in_doubt" && jobs !== undefined) {
    const leftMs = () => Math.max(1, timeoutMs - elapsedMs());
    const options = () => ({ signal, totalTimeoutMs: leftMs() });
    const asked = addCandidates([error.doubt], {
      list: (query) => jobs.list(query, options()),
      get: (jobId) => jobs.get(jobId, options()),
    });
    try {
      if (await waitAtMost(clock, leftMs(), signal, asked)) {
        const [doubt] = await asked;
        addFields(error, { doubt });
      }
    } catch {
      // `jobs.recover` asks again.
    }
  }
  if (request !== undefined && error.method === undefined) {
    addFields(error, { ...request, attempts: 0, elapsedMs: elapsedMs() });
  }
  return showCaller(error);
};
