import { addFields, showCaller } from "../errors/adgen-error.ts";
import { isAdGenError } from "../errors/errors.ts";
import { waitAtMost } from "../sleep.ts";
import type { Clock } from "./clock.ts";
import type { PaidCall, Submissions } from "./submissions.ts";

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
  addCandidates: Submissions["addCandidates"],
): Promise<unknown> => {
  if (!isAdGenError(error)) return error;
  const elapsedMs = () => Math.round(clock.now() - startedAt);
  if (error.code === "in_doubt" && jobs !== undefined) {
    const totalTimeoutMs = Math.max(1, timeoutMs - elapsedMs());
    const list = (query?: { limit?: number }) => jobs.list(query, { signal, totalTimeoutMs });
    const asked = addCandidates([error.doubt], { list });
    try {
      if (await waitAtMost(clock, totalTimeoutMs, signal, asked)) {
        const [doubt] = await asked;
        addFields(error, { doubt });
      }
    } catch {
      // `recoverJobs` asks again.
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
