import { addFields, showCaller } from "../errors/adgen-error.ts";
import type { Doubt } from "../errors/doubt.ts";
import { isAdGenError } from "../errors/errors.ts";
import { type Clock, waitAtMost } from "./clock.ts";
import type { RecentJobs } from "./recover.ts";
import type { PaidCall } from "./submissions.ts";

/**
 * Adds to an error of the records the facts of its call. A doubt gets its candidates too, or none
 * where the service does not answer in the time that the call has left.
 *
 * @param addCandidates - Asks the service for jobs that a submission in doubt may have made
 */
export const describeFailure = async (
  error: unknown,
  { once, request, jobs, timeoutMs, signal }: PaidCall,
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
  if (error.code === "store" && error.outcome === undefined) {
    // An earlier call with the caller's id may have sent it.
    addFields(error, { outcome: once === undefined ? "not-sent" : "unknown" });
  }
  if (request !== undefined && error.method === undefined) {
    addFields(error, { ...request, attempts: 0, elapsedMs: elapsedMs() });
  }
  return showCaller(error);
};
