import { leftMsOf, limitOf, runStep } from "../call-time.ts";
import type { Answers } from "../contract/endpoint.ts";
import { addFields, showCaller } from "../errors/adgen-error.ts";
import { type AnyAdGenError, isAdGenError } from "../errors/errors.ts";
import { oneLine } from "../errors/text.ts";
import { parseUrl } from "../parse-url.ts";
import type { Verdict } from "../submissions/begin.ts";
import type { RecentJobs } from "../submissions/recover.ts";
import type { Submissions } from "../submissions/submissions.ts";
import type { Answer, Call, Transport } from "../transport/call.ts";

/** The calls that make something. */
type PostName = "jobs.submit" | "brands.create" | "savedAds.create";

/** The answer to a POST. */
export interface PostAnswer<Data> extends Answer<Data> {
  /** An earlier call, or another process, has sent the request. */
  readonly isRepeated: boolean;
}

/**
 * Makes a POST; where the client has submissions, on record, and once for its id.
 *
 * @param read - Takes the answer as soon as it comes, and gives the id of the job that it names; a
 * throw makes the answer unusable
 */
export type Post = <Name extends PostName>(
  call: Call<Name>,
  read?: (answer: Answer<Answers[Name]>) => string | undefined,
) => Promise<PostAnswer<Answers[Name]>>;

/** Says what the record of a POST is to be after an error. */
const judgeFailure = (error: unknown): Verdict => {
  const { outcome = "unknown", jobId } = isAdGenError(error) ? error : {};
  if (outcome !== "unknown") return { verdict: "free", error };
  // A broken answer has named its job.
  return jobId === undefined ? { verdict: "doubt", error } : { verdict: "settled", jobId, error };
};

/** Adds the facts of its call to an error of the records: then nothing has left. */
const tellCall = (call: Call, error: unknown): unknown => {
  if (!isAdGenError(error)) return error;
  const { method, path } = call;
  const elapsedMs = Math.round(performance.now() - call.startedAt);
  if (error.method === undefined) addFields(error, { method, path, attempts: 0, elapsedMs });
  return showCaller(error);
};

/** Makes the function that makes POSTs. */
export const createPost =
  ({ send }: Pick<Transport, "send">, submissions: Submissions | undefined): Post =>
  async (call, read = () => undefined) => {
    if (submissions === undefined) {
      const answer = await send(call);
      read(answer);
      return { ...answer, isRepeated: false };
    }
    type Data = Awaited<ReturnType<typeof send<typeof call.name>>>["data"];
    let own: Answer<Data> | undefined;
    const paid = {
      once: call.once,
      method: call.name,
      body: call.body?.fields ?? {},
      origin: parseUrl(call.url)?.origin,
      timeoutMs: Math.max(1, Math.round(leftMsOf(call))),
      signal: call.signal,
    };
    try {
      const { answer, jobId } = await submissions.run(paid, async ({ mayLeave }) => {
        try {
          own = await send({ ...call, mayLeave });
          return { verdict: "settled", answer: own.data, jobId: read(own) };
        } catch (error) {
          return judgeFailure(error);
        }
      });
      if (own !== undefined) return { ...own, isRepeated: false };
      // The check of the answer that stands on record has passed. A job without one was adopted.
      const data = (answer ?? { job_id: jobId, status: "queued" }) as Data;
      const fields = { outcome: "unknown", attempts: 0 } as const;
      return { call, data, fields, clean: oneLine, isRepeated: true };
    } catch (error) {
      throw tellCall(call, error);
    }
  };

/**
 * Asks the service for jobs that a submission in doubt may have made, in the time that its call has
 * left. Without an answer the doubt is told without candidates.
 */
export const addCandidates = async (
  error: AnyAdGenError,
  call: Call,
  jobs: RecentJobs,
  submissions: Submissions | undefined,
): Promise<void> => {
  if (error.code !== "in_doubt" || submissions === undefined) return;
  const { signal } = call;
  const options = () => ({ signal, totalTimeoutMs: limitOf(call).ms });
  const inTime: RecentJobs = {
    list: (query) => jobs.list(query, options()),
    get: (jobId) => jobs.get(jobId, options()),
  };
  try {
    const ask = () => submissions.addCandidates([error.doubt], inTime, { signal });
    const [doubt] = await runStep(call, {}, "timed out", ask);
    addFields(error, { doubt });
  } catch {
    // `jobs.recover` asks again.
  }
};
