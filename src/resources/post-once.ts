import type { Answers } from "../contract/endpoint.ts";
import type { SubmittedJob } from "../contract/jobs.ts";
import type { ClientConfig } from "../options/client-options.ts";
import { parseUrl } from "../parse-url.ts";
import type { Answer, Call, Transport } from "../request/call.ts";
import { problemOfId } from "../request/url.ts";
import type { RecentJobs } from "../submissions/recover.ts";
import type { OwnAccount } from "../submissions/submission-facts.ts";
import { jobIdError } from "./check-job.ts";

/** The calls that make something. */
type PostName = "jobs.submit" | "brands.create" | "savedAds.create";

/**
 * Makes a POST; where the client has submissions, on record, and once for its id. An answer that an
 * earlier call got has no `elapsedMs` among its fields.
 *
 * @param jobs - Reads the jobs that an earlier submission in doubt may have made
 */
export type Post = <Name extends PostName>(
  call: Call<Name>,
  jobs?: RecentJobs,
) => Promise<Answer<Answers[Name]>>;

/** Whose submissions a client makes, for the store that keeps them. */
export const ownAccount = ({ baseUrl: { url }, account, readKey }: ClientConfig): OwnAccount => ({
  origin: parseUrl(url ?? "")?.origin,
  baseUrl: url,
  account,
  readKey,
});

/** The id of a submission's job; refuses one that no later call can name. */
const requireUsableId = (answer: Answer<SubmittedJob>): string => {
  const { job_id: id } = answer.data;
  const problem = problemOfId(id);
  if (problem === undefined) return id;
  throw jobIdError(answer, `without a usable job_id: it ${problem}`, problem);
};

export const createPost = ({ send }: Pick<Transport, "send">, config: ClientConfig): Post => {
  const { submissions } = config;
  const account = ownAccount(config);

  const sendOne = async <Name extends PostName>(call: Call<Name>) => {
    const answer = await send(call);
    const jobId = call.endpoint.paid ? requireUsableId(answer as Answer<SubmittedJob>) : undefined;
    return { answer, jobId };
  };

  return async <Name extends PostName>(call: Call<Name>, jobs?: RecentJobs) => {
    if (submissions === undefined) return (await sendOne(call)).answer;
    const send = (canSend: () => boolean) => sendOne({ ...call, canSend });
    // A record keeps answers of this endpoint, which its fields have checked.
    return (await submissions.post(call, account, send, jobs)) as Answer<Answers[Name]>;
  };
};
