import { isAdGenError } from "adgen-sdk";
import { createSubmissions } from "adgen-sdk/submissions";
import { type Endpoint, endpoints } from "../contract/endpoint.ts";
import { successEnvelope } from "../contract/envelope.ts";
import type { RecordStore, StoredRecord } from "../submissions/record-store.ts";
import { digestOf } from "../submissions/submission-facts.ts";
import { fail, isAnswer, outcomeOf, type ProxyAnswer, refuse, withDoubt } from "./answer.ts";
import type { OwnedCall } from "./perform.ts";
import type { ProxyConfig } from "./resolve-proxy-config.ts";

/** The answer to a call, and whether it was there before. */
export interface GivenAnswer {
  readonly answer: ProxyAnswer;
  readonly repeated: boolean;
}

/** The longest answer that is kept whole. */
const mostKept = 16_384;

/** Of a longer one: the most short fields, their longest, and the longest of those that name it. */
const mostFields = 60;
const longestField = 256;
const longestName = 2_048;

/** Keeps the short fields of a large answer, and its id: a few pictures must not fill a store. */
const shorten = (answer: ProxyAnswer): ProxyAnswer => {
  if (answer.body.length <= mostKept || outcomeOf(answer) !== undefined) return answer;
  const fields = Object.entries(JSON.parse(answer.body).data ?? {});
  const upTo = (longest: number) =>
    fields.filter((field) => JSON.stringify(field).length <= longest);
  const names = upTo(longestName).filter(([name]) => ["id", "job_id", "status"].includes(name));
  const data = Object.fromEntries([...names, ...upTo(longestField).slice(0, mostFields)]);
  return { ...answer, body: JSON.stringify(successEnvelope(data)) };
};

/** Answers a call that has waited for another one of its id, which was not carried out. */
const waitedInVain = (): ProxyAnswer =>
  fail(503, "another request of this call was not carried out, and this one was not sent", {
    outcome: "not-sent",
  });

/** Whether a call was surely not carried out: its id may be sent again. */
const isFree = (answer: ProxyAnswer): boolean =>
  ["refused", "not-sent"].includes(outcomeOf(answer) ?? "");

const requireAnswer = (answer: unknown): ProxyAnswer => {
  if (isAnswer(answer)) return answer;
  const words = "the proxy's memory holds something else at the place of this call";
  return refuse(503, `${words}: nothing was sent again`);
};

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

/** The list of the calls that are under way. */
const callList = "open-timed";

/** The part of a store for the calls of pages: no id of a client that shares it leads there. */
const callsIn = (store: RecordStore): RecordStore => {
  const placeOf = (id: string): string => id.replace(/^once:/, "call:");
  const read = <Found extends StoredRecord | undefined>(found: Found): Found =>
    found && { ...found, id: found.id.replace(/^call:/, "once:") };
  return {
    get: async (id) => read(await store.get(placeOf(id))),
    swap: async (id, expected, next) => {
      const listed = next && { ...next, list: next.list && callList };
      return read(await store.swap(placeOf(id), expected, listed));
    },
    list: async (_, limit) => (await store.list(callList, limit)).map(read),
  };
};

const idOf = (owner: string, callId: string): string => `${encodeURIComponent(owner)}:${callId}`;

/**
 * Calls with an id are sent once. Creations without one are on record, too, because whoever searches
 * for a lost job must know of the submissions that are under way.
 */
export const createOnce = (
  { callWindowMs, storeTimeoutMs, timeoutMs = 60_000 }: ProxyConfig,
  store: RecordStore,
  perform: (call: OwnedCall) => Promise<ProxyAnswer>,
  outlive: (work: Promise<unknown>) => void,
) => {
  const submissions = createSubmissions(callsIn(store), {
    storeTimeoutMs,
    onLateWrite: ({ work }) => work && outlive(work),
  });
  /** Time for the checks of a call, which ask the store, and then for the service's answer. */
  const callMs = Math.max(10_000, 3 * storeTimeoutMs) + timeoutMs;

  const makeOne = async (call: OwnedCall, callId: string | undefined): Promise<GivenAnswer> => {
    const { name: method, owner } = call;
    const paid = {
      once: callId && idOf(owner, callId),
      method,
      // No prompt may stand in the record.
      body: {},
      digest: await digestOf(method, [call.id, call.body]),
      timeoutMs: callMs,
      ttlMs: callWindowMs,
    };
    let own: ProxyAnswer | undefined;
    try {
      const { answer } = await submissions.run(paid, async (turn) => {
        const canSend = () => turn.canSend() && turn.leftMs() >= timeoutMs;
        // The page may have been told of the other's end: it must stay true.
        own = turn.hasWaited ? waitedInVain() : await perform({ ...call, canSend });
        return callId === undefined || isFree(own)
          ? { verdict: "free", error: own }
          : { verdict: "settled", answer: shorten(own) };
      });
      if (own !== undefined) return { answer: own, repeated: false };
      return { answer: requireAnswer(answer), repeated: true };
    } catch (error) {
      return { answer: own ?? answerOf(error), repeated: own === undefined };
    }
  };

  return {
    /** Sends a call, or returns the answer to an earlier one of its id. Rejects when the store fails. */
    async make(call: OwnedCall, callId: string | undefined): Promise<GivenAnswer> {
      const { creates, method }: Endpoint = endpoints[call.name];
      if (callId === undefined && creates === undefined) {
        return { answer: await perform(call), repeated: false };
      }
      const given = await makeOne(call, callId);
      const isInDoubt = given.repeated && outcomeOf(given.answer) === "unknown";
      if (!isInDoubt || method !== "DELETE") return given;
      // Nothing is done twice when a deletion is sent twice.
      return { answer: withDoubt(await perform(call)), repeated: false };
    },
    /** Whether a call is on record; one that cannot be read may be. */
    isOnRecord: (owner: string, callId: string): Promise<boolean> =>
      submissions.find(idOf(owner, callId)).then(
        ({ state }) => state !== "free",
        () => true,
      ),
    /** Whether a submission of any process is under way: its job may have no owner yet. */
    async isSubmitting(): Promise<boolean> {
      const { underWay } = await submissions.listOpen();
      return underWay.some(({ method }) => method === "jobs.submit");
    },
  };
};
