import { isAdGenError } from "adgen-sdk";
import { createSubmissions } from "adgen-sdk/submissions";
import { isObject } from "../client/options/rules.ts";
import { successEnvelope } from "../contract/envelope.ts";
import { callsOfPages, idOfCall } from "../submissions/store/calls-of-pages.ts";
import { digestOf } from "../submissions/store/digest.ts";
import {
  describeFirst,
  jobIdOf,
  keyOf,
  readRecord,
  type SubmissionRecord,
} from "../submissions/store/record.ts";
import type { RecordStore } from "../submissions/store/record-store.ts";
import {
  failureAnswer,
  isAnswer,
  isSurelyNotDone,
  outcomeOf,
  type ProxyAnswer,
  successAnswer,
  unreadableAnswer,
} from "./answer.ts";
import type { Ownership } from "./ownership.ts";
import type { OwnedCall } from "./perform.ts";
import type { ProxyConfig } from "./resolve-proxy-config.ts";

/** The answer to a call, and whether an earlier copy of the call has decided it. */
export interface GivenAnswer {
  readonly answer: ProxyAnswer;
  readonly repeated: boolean;
}

/**
 * Maximum length of an answer that is kept whole, in characters. A few pictures must not fill a
 * store.
 */
const maxKeptLength = 16_384;

/** Shortens a large answer to the id of what was made. */
const shorten = (answer: ProxyAnswer): ProxyAnswer => {
  if (answer.body.length <= maxKeptLength || outcomeOf(answer) !== undefined) return answer;
  const { data } = JSON.parse(answer.body);
  const { id, job_id, status } = isObject(data) ? data : {};
  return { ...answer, body: JSON.stringify(successEnvelope({ id, job_id, status })) };
};

/** Returns the job that a call has made: a person has found it, or the answer names it. */
const jobOf = (record: SubmissionRecord | undefined): string | undefined => {
  const answer = record && "answer" in record ? record.answer : undefined;
  if (!isAnswer(answer)) return jobIdOf(record);
  const { data, job_id } = JSON.parse(answer.body);
  return jobIdOf(record) ?? data?.job_id ?? job_id;
};

/**
 * Returns why a call is in doubt, so that a person must decide about it; `undefined` if it is not.
 */
const doubtOf = (answer: ProxyAnswer): string | undefined => {
  if (outcomeOf(answer) !== "unknown") return undefined;
  const { error, job_id } = JSON.parse(answer.body);
  return job_id === undefined ? `${answer.status}: ${error}` : undefined;
};

/** Maximum length of the action that a record keeps, in characters. */
const maxActionLength = 100;

const actionOf = ({ body }: OwnedCall): string | undefined => {
  const action = body?.["action"];
  return typeof action === "string" ? action.slice(0, maxActionLength) : undefined;
};

/**
 * Removes `retry-after` from an answer with an unknown outcome. The answer goes on record, so a
 * repeat would only get the same answer.
 */
const withoutWait = (answer: ProxyAnswer): ProxyAnswer => {
  if (outcomeOf(answer) !== "unknown") return answer;
  const { "retry-after": _, ...headers } = answer.headers;
  return { ...answer, headers };
};

/** Creates the function that makes each creating call once for its id. */
export const createIdempotency = (
  { callWindowMs, storeTimeoutMs, timeoutMs = 60_000 }: ProxyConfig,
  store: RecordStore,
  perform: (call: OwnedCall) => Promise<ProxyAnswer>,
  ownership: Ownership,
  outlive: (work: Promise<unknown>) => void,
) => {
  const calls = callsOfPages(store);
  const submissions = createSubmissions(calls, {
    storeTimeoutMs,
    onLateWrite: ({ work }) => outlive(work),
  });
  /** Time for the checks of a call, which ask the store, and then for the service's answer. */
  const callMs = Math.max(10_000, 3 * storeTimeoutMs) + timeoutMs;

  /**
   * Refuses a request whose id belongs to another request, and names that request's job. It may do
   * so, because both requests have the same owner.
   */
  const refuseOther = async (once: string): Promise<ProxyAnswer> => {
    const there = await calls.get(keyOf(once));
    const record = there && readRecord(there, Date.now()).record;
    const jobId = jobOf(record);
    const words = `this call id belongs to another request${describeFirst(record, jobId)}`;
    return failureAnswer(409, words, { outcome: "refused", jobId });
  };

  /** Gives an owner the job that a person has found for the call. */
  const adopt = async (jobId: string, owner: string): Promise<ProxyAnswer> => {
    if (await ownership.claim("job", jobId, owner)) {
      return successAnswer(202, { job_id: jobId, status: "queued" }, String);
    }
    return failureAnswer(502, "the job of this call belongs to somebody else", {
      outcome: "unknown",
    });
  };

  /** Answers a call that was not sent because of an earlier call with its id. */
  const answerInstead = (error: unknown): ProxyAnswer => {
    const { code, outcome, retryAfterMs } = isAdGenError(error) ? error : {};
    if (code === "invalid_request") {
      const words = "this call was dropped by a decision of the app, and is never sent again";
      return failureAnswer(409, words, { outcome });
    }
    if (code === "under_way") {
      const facts = { outcome: "unknown", retryAfterMs } as const;
      return failureAnswer(
        503,
        "this call is under way, and has no answer yet: ask again later",
        facts,
      );
    }
    if (code !== "in_doubt") throw error;
    const words =
      "an earlier call with this id lost its answer, and may have been carried out: nothing was sent again";
    return failureAnswer(502, words, { outcome: "unknown" });
  };

  /**
   * Sends a call, or returns the answer to an earlier call with its id. If the store fails, it
   * rejects, and the outcome of earlier calls is unknown.
   */
  return async (call: OwnedCall, callId: string): Promise<GivenAnswer> => {
    const { name: method, owner } = call;
    const once = idOfCall(owner, callId);
    const paid = {
      once,
      method,
      // A record must not hold a prompt, and a page may send a whole book as its action.
      body: { action: actionOf(call) },
      digest: digestOf([method, call.body]),
      timeoutMs: callMs,
      ttlMs: callWindowMs,
    };
    let own: ProxyAnswer | undefined;
    try {
      const { answer, jobId } = await submissions.runOnce(paid, async (turn) => {
        const canSend = () => turn.canSend() && turn.leftMs() >= timeoutMs;
        own = withoutWait(await perform({ ...call, canSend }));
        return isSurelyNotDone(own) ? undefined : { answer: shorten(own), why: doubtOf(own) };
      });
      if (own !== undefined) return { answer: own, repeated: false };
      if (isAnswer(answer)) return { answer, repeated: true };
      if (jobId !== undefined) return { answer: await adopt(jobId, owner), repeated: true };
      const words = "the proxy's store holds a damaged record of this call, so nothing was sent";
      return { answer: unreadableAnswer(503, words), repeated: false };
    } catch (error) {
      if (own !== undefined) return { answer: own, repeated: false };
      // The error of a dropped call has an unknown outcome, because the call may have been carried
      // out.
      const isOther =
        isAdGenError(error) && error.code === "invalid_request" && error.outcome === "not-sent";
      if (isOther) return { answer: await refuseOther(once), repeated: false };
      return { answer: answerInstead(error), repeated: true };
    }
  };
};
