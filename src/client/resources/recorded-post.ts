import type { Creation, EndpointName, ResponseData } from "../../contract/endpoint.ts";
import type { SubmittedJob } from "../../contract/jobs.ts";
import { addFields } from "../errors/adgen-error.ts";
import { isAdGenError } from "../errors/errors.ts";
import { oneLine } from "../errors/text.ts";
import type { Call, CheckedResponse, Transport } from "../http/call.ts";
import { elapsedMsOf } from "../http/call-time.ts";
import { jobIdError } from "../http/check-schema.ts";
import { parseUrl } from "../internal/platform.ts";
import type { ClientConfig } from "../options/client-options.ts";
import { problemOfId } from "../options/rules.ts";

type Send<Names extends EndpointName> = <Name extends Names>(
  call: Call<Name>,
) => Promise<CheckedResponse<ResponseData[Name]>>;

/** How resources send their calls. The types leave a creation no way but `post`. */
export interface RecordedTransport extends Pick<Transport, "prepareCall"> {
  readonly send: Send<Exclude<EndpointName, Creation>>;
  /**
   * Creates something. If the call has an id and the client has submissions, the POST is made once
   * for that id. A response from a record has no `elapsedMs` among its fields.
   */
  readonly post: Send<Creation>;
}

/** Returns the id of a submission's job, and refuses an id that no later call could name. */
const requireUsableId = (answer: CheckedResponse<SubmittedJob>): string => {
  const { job_id: id } = answer.data;
  const problem = problemOfId(id);
  if (problem === undefined) return id;
  throw jobIdError(answer, `without a usable job_id: it ${problem}`, problem);
};

export const createRecordedPost = (
  { send }: Pick<Transport, "send">,
  config: ClientConfig,
): RecordedTransport["post"] => {
  const { submissions, baseUrl } = config;

  const sendOne = async <Name extends Creation>(call: Call<Name>) => {
    const answer = await send(call);
    const jobId = call.endpoint.paid
      ? requireUsableId(answer as CheckedResponse<SubmittedJob>)
      : undefined;
    return { answer, jobId };
  };

  return async <Name extends Creation>(call: Call<Name>) => {
    const { name, once, body, waitMs, signal, method, path } = call;
    if (submissions === undefined) return (await sendOne(call)).answer;
    let own: CheckedResponse<ResponseData[Name]> | undefined;
    const paid = {
      ...{ once, waitMs, signal, method: name },
      body: body?.fields ?? {},
      origin: parseUrl(baseUrl.url ?? "")?.origin,
      timeoutMs: Math.max(1, Math.round(call.deadlineAt - performance.now())),
      attemptMs: call.attemptTimeoutMs,
    };
    try {
      const { answer, jobId } = await submissions.runOnce(paid, async ({ canSend }) => {
        const sent = await sendOne({ ...call, canSend });
        own = sent.answer;
        return { answer: own.data, jobId: sent.jobId };
      });
      // A record holds a response that was checked when it came. If it holds none, the job was
      // adopted.
      const data = (answer ?? { job_id: jobId, status: "queued" }) as ResponseData[Name];
      const fields = { outcome: "unknown", attempts: 0 } as const;
      return own ?? { call, data, fields, redactLine: oneLine };
    } catch (error) {
      if (isAdGenError(error) && error.method === undefined) {
        addFields(error, { method, path, attempts: 0, elapsedMs: elapsedMsOf(call) });
      }
      throw error;
    }
  };
};
