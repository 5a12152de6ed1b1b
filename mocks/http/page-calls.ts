import { callIdHeader, outcomeHeader } from "../../src/contract/proxy-answers.ts";
import type { Answer } from "./answer-call.ts";
import { writeFailure } from "./message.ts";
import type { ReadRequest } from "./reply.ts";
import type { AccountSlot } from "./service-state.ts";

/** Reads the `Idempotency-Key` by which a page's client marks repeats of a call for its proxy. */
const callIdOf = ({ headers = [] }: ReadRequest): string | undefined =>
  Array.from(headers).find(([name]) => name.toLowerCase() === callIdHeader)?.[1];

/**
 * Refuses another request with the `Idempotency-Key` of a call that succeeded. Like the proxy's answer,
 * the refusal names the job of that call, if any, and its header says that nothing was carried out.
 */
const refuseOther = (jobId: string | undefined): Answer => {
  const words = "this Idempotency-Key names another call: take a new one for each call";
  const { body, ...refusal } = writeFailure(409, words, { [outcomeHeader]: "refused" });
  const named = { ...JSON.parse(body), ...(jobId !== undefined && { job_id: jobId }) };
  return { ...refusal, body: JSON.stringify(named) };
};

/**
 * Answers a page's creation as this package's proxy does: a repeat with the same `Idempotency-Key`
 * gets the first answer again. A refused call is not remembered, so the page may send it again.
 */
export const answerOnce = (
  slot: AccountSlot | undefined,
  request: ReadRequest,
  make: () => Answer,
): Answer => {
  const id = callIdOf(request);
  if (id === undefined || slot === undefined) return make();
  const call = `${request.url} ${request.body}`;
  const before = slot.pageCalls.get(id);
  if (before !== undefined && before.call !== call) return refuseOther(before.answer.jobId);
  const answer = before?.answer ?? make();
  if (answer.status < 300) slot.pageCalls.set(id, { call, answer });
  return answer;
};
