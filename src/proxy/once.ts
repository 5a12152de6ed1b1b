import { isAdGenError } from "adgen-sdk";
import { createSubmissions } from "adgen-sdk/submissions";
import { successEnvelope } from "../contract/envelope.ts";
import { isObject } from "../options/rules.ts";
import { callsOfPages, idOfCall } from "../submissions/calls-of-pages.ts";
import { digestOf } from "../submissions/facts.ts";
import type { RecordStore } from "../submissions/record-store.ts";
import { fail, isAnswer, outcomeOf, type ProxyAnswer, refuse, succeed } from "./answer.ts";
import type { OwnedCall } from "./perform.ts";
import type { ProxyConfig } from "./resolve-proxy-config.ts";

/** The answer to a call, and whether it was there before. */
export interface GivenAnswer {
  readonly answer: ProxyAnswer;
  readonly repeated: boolean;
}

/** The longest answer that is kept whole: a few pictures must not fill a store. */
const mostKept = 16_384;

/** Keeps the id of a large answer. */
const shorten = (answer: ProxyAnswer): ProxyAnswer => {
  if (answer.body.length <= mostKept || outcomeOf(answer) !== undefined) return answer;
  const { data } = JSON.parse(answer.body);
  const { id, job_id, status } = isObject(data) ? data : {};
  return { ...answer, body: JSON.stringify(successEnvelope({ id, job_id, status })) };
};

/** Whether a call was surely not carried out: its id may be sent again. */
const isFree = (answer: ProxyAnswer): boolean =>
  ["refused", "not-sent"].includes(outcomeOf(answer) ?? "");

/** Says why nobody knows whether a call was carried out. A person has to decide about it then. */
const doubtOf = (answer: ProxyAnswer): string | undefined => {
  if (outcomeOf(answer) !== "unknown") return undefined;
  const { error, job_id } = JSON.parse(answer.body);
  return job_id === undefined ? `${answer.status}: ${error}` : undefined;
};

/** Answers a call that an earlier one of its id has kept from being sent. */
const answerOf = (error: unknown): ProxyAnswer => {
  const { code, outcome, retryAfterMs } = isAdGenError(error) ? error : {};
  if (code === "invalid_request" && outcome === "unknown") {
    const words = "this call was dropped by a decision of the app, and is never sent again";
    return fail(409, words, { outcome });
  }
  if (code === "invalid_request") {
    return refuse(409, "this Idempotency-Key names another call: take a new one for each call");
  }
  if (code === "under_way") {
    const facts = { outcome: "unknown", retryAfterMs } as const;
    return fail(503, "this call is under way, and has no answer yet: ask again later", facts);
  }
  if (code !== "in_doubt") throw error;
  const words =
    "this call was begun before, and its answer is lost: it may have been carried out. Nothing was sent again";
  return fail(502, words, { outcome: "unknown" });
};

/** Makes calls that create something, each once for its id. */
export const createOnce = (
  { callWindowMs, storeTimeoutMs, timeoutMs = 60_000 }: ProxyConfig,
  store: RecordStore,
  perform: (call: OwnedCall) => Promise<ProxyAnswer>,
  claimJob: (id: string, owner: string) => Promise<boolean>,
  outlive: (work: Promise<unknown>) => void,
) => {
  const submissions = createSubmissions(callsOfPages(store), {
    storeTimeoutMs,
    onLateWrite: ({ work }) => outlive(work),
  });
  /** Time for the checks of a call, which ask the store, and then for the service's answer. */
  const callMs = Math.max(10_000, 3 * storeTimeoutMs) + timeoutMs;

  /** Gives an owner the job that a person has found for the call. */
  const adopt = async (jobId: string, owner: string): Promise<ProxyAnswer> => {
    if (await claimJob(jobId, owner))
      return succeed(202, { job_id: jobId, status: "queued" }, String);
    return fail(502, "the job of this call belongs to somebody else", { outcome: "unknown" });
  };

  /** Sends a call, or returns the answer to an earlier one of its id. Rejects when the store fails. */
  return async (call: OwnedCall, callId: string): Promise<GivenAnswer> => {
    const { name: method, owner } = call;
    const paid = {
      once: idOfCall(owner, callId),
      method,
      // No prompt may stand in the record.
      body: { action: call.body?.["action"] },
      digest: digestOf([method, call.body]),
      timeoutMs: callMs,
      ttlMs: callWindowMs,
    };
    let own: ProxyAnswer | undefined;
    try {
      const { answer, jobId } = await submissions.runOnce(paid, async (turn) => {
        const canSend = () => turn.canSend() && turn.leftMs() >= timeoutMs;
        own = await perform({ ...call, canSend });
        return isFree(own) ? undefined : { answer: shorten(own), why: doubtOf(own) };
      });
      if (own !== undefined) return { answer: own, repeated: false };
      if (isAnswer(answer)) return { answer, repeated: true };
      if (jobId !== undefined) return { answer: await adopt(jobId, owner), repeated: true };
      return refuse(503, "the proxy's memory holds something else at the place of this call");
    } catch (error) {
      return { answer: own ?? answerOf(error), repeated: own === undefined };
    }
  };
};
