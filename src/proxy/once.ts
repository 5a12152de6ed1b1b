import { isAdGenError } from "adgen-sdk";
import { createSubmissions } from "adgen-sdk/submissions";
import { successEnvelope } from "../contract/envelope.ts";
import { isObject } from "../options/rules.ts";
import { digestOf } from "../submissions/facts.ts";
import type { RecordStore, StoredRecord } from "../submissions/record-store.ts";
import { fail, isAnswer, outcomeOf, type ProxyAnswer, refuse } from "./answer.ts";
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

/** Answers a call that an earlier one of its id has kept from being sent. */
const answerOf = (error: unknown): ProxyAnswer => {
  const { code, retryAfterMs } = isAdGenError(error) ? error : {};
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

/** The part of a store for the calls of pages: no id of a client that shares it leads there. */
const callsIn = (store: RecordStore): RecordStore => {
  const read = <Found extends StoredRecord | undefined>(found: Found): Found =>
    found && { ...found, id: found.id.replace(/^calls\//, "") };
  return {
    get: async (id) => read(await store.get(`calls/${id}`)),
    swap: async (id, expected, next) =>
      read(await store.swap(`calls/${id}`, expected, next && { ...next, list: undefined })),
    list: async () => [],
  };
};

/** Makes calls that create something, each once for its id. */
export const createOnce = (
  { callWindowMs, storeTimeoutMs, timeoutMs = 60_000 }: ProxyConfig,
  store: RecordStore,
  perform: (call: OwnedCall) => Promise<ProxyAnswer>,
  outlive: (work: Promise<unknown>) => void,
) => {
  const submissions = createSubmissions(callsIn(store), {
    storeTimeoutMs,
    onLateWrite: ({ work }) => outlive(work),
  });
  /** Time for the checks of a call, which ask the store, and then for the service's answer. */
  const callMs = Math.max(10_000, 3 * storeTimeoutMs) + timeoutMs;

  /** Sends a call, or returns the answer to an earlier one of its id. Rejects when the store fails. */
  return async (call: OwnedCall, callId: string): Promise<GivenAnswer> => {
    const { name: method, owner } = call;
    const paid = {
      once: `${encodeURIComponent(owner)}:${callId}`,
      method,
      // No prompt may stand in the record.
      body: {},
      digest: digestOf([method, call.body]),
      timeoutMs: callMs,
      ttlMs: callWindowMs,
    };
    let own: ProxyAnswer | undefined;
    try {
      const { answer } = await submissions.runOnce(paid, async (turn) => {
        const canSend = () => turn.canSend() && turn.leftMs() >= timeoutMs;
        own = await perform({ ...call, canSend });
        return isFree(own) ? undefined : { answer: shorten(own) };
      });
      if (own !== undefined) return { answer: own, repeated: false };
      if (isAnswer(answer)) return { answer, repeated: true };
      return refuse(503, "the proxy's memory holds something else at the place of this call");
    } catch (error) {
      return { answer: own ?? answerOf(error), repeated: own === undefined };
    }
  };
};
