import { isAdGenError } from "adgen-sdk";
import { type Endpoint, endpoints } from "../contract/endpoint.ts";
import { successEnvelope } from "../contract/envelope.ts";
import { createBegin } from "../submissions/begin.ts";
import type { PreparedCall } from "../submissions/call-errors.ts";
import type { Clock } from "../submissions/clock.ts";
import { createDoubts } from "../submissions/doubts.ts";
import { createOwners } from "../submissions/owners.ts";
import type { RecordStore } from "../submissions/record-store.ts";
import { createToken, openTimedList, proxyPrefix } from "../submissions/records.ts";
import { createRecords } from "../submissions/records-in-store.ts";
import { digestOf } from "../submissions/request-digest.ts";
import { createSettling, type Settling } from "../submissions/settle.ts";
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

/** Pause before it asks again whether submissions have ended. */
const underWayPauseMs = 250;

/** Makes the answer to a call that has waited for another one of its id, which was not carried out. */
const waitedInVain = (): ProxyAnswer =>
  fail(503, "another request of this call was not carried out, and this one was not sent", {
    outcome: "not-sent",
  });

/** Tells whether the same id may be sent again: the call was surely not carried out. */
const isFree = (answer: ProxyAnswer): boolean =>
  ["refused", "not-sent"].includes(outcomeOf(answer) ?? "");

const refuseOther = (): never =>
  refuse(409, "this Idempotency-Key names another call: take a new one for each call");

const refuseOdd = (): never =>
  refuse(
    503,
    "the proxy's memory holds something else at the place of this call: nothing was sent again",
  );

const requireAnswer = (answer: unknown): ProxyAnswer => (isAnswer(answer) ? answer : refuseOdd());

/** Makes the answer to a call whose first answer nobody has. */
const answerLost = (): ProxyAnswer =>
  fail(
    502,
    "this call was begun before, and its answer is lost: it may have been carried out. Nothing was sent again",
    { outcome: "unknown" },
  );

/** Makes the answer to a call that an earlier one of its id has kept from being sent. */
const answerOf = (error: unknown): ProxyAnswer => {
  const { code, retryAfterMs } = isAdGenError(error) ? error : {};
  if (code === "invalid_request") return refuseOther();
  if (code === "under_way") {
    const facts = { outcome: "unknown", retryAfterMs } as const;
    return fail(503, "this call is under way, and has no answer yet: ask again later", facts);
  }
  if (code !== "in_doubt") throw error;
  return answerLost();
};

/** Makes the calls of a proxy. Those that have an id are made once; new things are on record. */
export const createOnce = (
  { callWindowMs, storeTimeoutMs, timeoutMs = 60_000 }: ProxyConfig,
  store: RecordStore,
  clock: Clock,
  perform: (call: OwnedCall) => Promise<ProxyAnswer>,
  outlive: (work: Promise<unknown>) => void,
) => {
  const records = createRecords(store, proxyPrefix);
  /** Version 0.11 kept calls among the submissions of a client that shared the store. */
  const earlierRecords = createRecords(store);
  const doubts = createDoubts(store, records, createOwners(store, records), clock);
  /** Functions that let a page no longer wait for the store to take the end of its call. */
  const waits = new Map<string, () => void>();
  const onRefusal = (_: unknown, id: string, later?: Promise<unknown>): void => {
    if (later !== undefined) outlive(later);
    waits.get(id)?.();
  };
  const ends = createSettling(
    records,
    clock,
    async () => {},
    () => {},
    onRefusal,
  );
  const keepForPage: Settling["keep"] = (known, ...end) =>
    new Promise<void>((resolve) => {
      waits.set(known.id, resolve);
      outlive(ends.keep(known, ...end).then(resolve));
    }).finally(() => waits.delete(known.id));
  const settling: Settling = { ...ends, keep: keepForPage };
  const begin = createBegin(records, settling, doubts, clock);

  /** Time of a call: its checks, which ask the store, and then the service's answer. */
  const callMs = Math.max(10_000, 3 * storeTimeoutMs) + timeoutMs;

  /** Calls of this process, by what they ask for: a repeat waits for them without the store. */
  const underWay = new Map<string, Promise<GivenAnswer>>();

  const idOf = (owner: string, callId: string): string => `${encodeURIComponent(owner)}:${callId}`;

  /** Finds the record that version 0.11 has made of a call: a repeat over an update is not paid again. */
  const findEarlier = async (owner: string, callId: string) => {
    const there = await earlierRecords.get(`proxy:${idOf(owner, callId)}`);
    if (there !== undefined && there.record === undefined) return refuseOdd();
    // A client's own record is kept for ever.
    return there?.record?.attempt.ttlMs === undefined ? undefined : there.record;
  };

  const answerEarlier = async (
    call: OwnedCall,
    callId: string,
    digest: string | undefined,
  ): Promise<ProxyAnswer | undefined> => {
    const record = await findEarlier(call.owner, callId);
    if (record === undefined) return undefined;
    if (record.attempt.facts.digest !== digest) return refuseOther();
    if (record.state !== "settled") return answerLost();
    const answer = requireAnswer(record.answer);
    return isFree(answer) ? undefined : answer;
  };

  const makeOne = async (
    call: OwnedCall,
    callId: string | undefined,
    digest: string | undefined,
  ): Promise<GivenAnswer> => {
    const id = idOf(call.owner, callId ?? createToken());
    // Nothing repeats an id that was made for one call: its record is there to keep room.
    const isGenerated = callId === undefined;
    // Long enough for another process to answer, or to be held for lost, and then for its own call.
    const endsAt = clock.now() + 2 * callMs + 10_000;
    let leftMs = (): number => Math.min(callMs, endsAt - clock.now());
    let own: ProxyAnswer | undefined;
    let earlier: ProxyAnswer | undefined;
    const facts = { method: call.name, submittedAt: new Date().toISOString(), request: {}, digest };
    const prepared: PreparedCall = {
      ...{ id, digest, timeoutMs: callMs, signal: undefined, leftMs: () => leftMs() },
      waitLeftMs: () => leftMs(),
      attempt: { facts, isGenerated, ttlMs: callWindowMs },
    };
    try {
      const { answer } = await begin(prepared, async ({ mayLeave, hasWaited }) => {
        try {
          earlier = isGenerated ? undefined : await answerEarlier(call, callId, digest);
        } catch (error) {
          return { verdict: "free", error };
        }
        leftMs = () => timeoutMs;
        // The page may have been told of the other's end: it must stay true.
        own = earlier ?? (hasWaited ? waitedInVain() : await perform({ ...call, mayLeave }));
        return isGenerated || isFree(own)
          ? { verdict: "free", error: own }
          : { verdict: "settled", answer: shorten(own) };
      });
      if (own !== undefined) return { answer: own, repeated: earlier !== undefined };
      return { answer: requireAnswer(answer), repeated: true };
    } catch (error) {
      return { answer: own ?? answerOf(error), repeated: own === undefined };
    }
  };

  /** Makes a call, or waits for the one of this process that makes it. */
  const share = async (call: OwnedCall, callId: string): Promise<GivenAnswer> => {
    const digest = await digestOf(call.name, [call.id, call.body]);
    // Of two different calls by one id, the store says which one it names.
    const key = `${digest} ${idOf(call.owner, callId)}`;
    const first = underWay.get(key);
    if (first !== undefined) return { ...(await first), repeated: true };
    const given = makeOne(call, callId, digest).finally(() => underWay.delete(key));
    underWay.set(key, given);
    return given;
  };

  /** Gives the attempts at submissions that are under way, in any process. */
  const listUnderWay = async (): Promise<readonly string[]> => {
    // Those whose process has ended are lost: nothing would wait for them for ever.
    const open = await Promise.all(
      (await records.list(openTimedList)).map((there) => doubts.refresh(there)),
    );
    return open.flatMap((there) => {
      const { state, attempt } = there?.record ?? {};
      return state === "sending" && attempt?.facts.method === "jobs.submit" ? attempt.token : [];
    });
  };

  return {
    /**
     * Waits until each submission that is under way has its owner, or is lost: a job that a list
     * shows may be one of theirs. Gives whether all of them have ended in time.
     */
    async outlastSubmissions(withinMs: number): Promise<boolean> {
      const endsAt = clock.now() + withinMs;
      let begun = await listUnderWay();
      while (begun.length > 0 && clock.now() < endsAt) {
        await clock.sleep(underWayPauseMs);
        const open = await listUnderWay();
        begun = begun.filter((token) => open.includes(token));
      }
      return begun.length === 0;
    },
    /** Makes a call, or gives the answer to an earlier one of its id. It rejects when the store fails. */
    async make(call: OwnedCall, callId: string | undefined): Promise<GivenAnswer> {
      const { creates, method }: Endpoint = endpoints[call.name];
      if (callId !== undefined) {
        const given = await share(call, callId);
        const isInDoubt = given.repeated && outcomeOf(given.answer) === "unknown";
        if (!isInDoubt || method !== "DELETE") return given;
        // Nothing is done twice when a deletion is sent twice.
        return { answer: withDoubt(await perform(call)), repeated: false };
      }
      if (creates === undefined) return { answer: await perform(call), repeated: false };
      return makeOne(call, undefined, undefined);
    },
    /** Tells whether a call of the id is on record; one that cannot be read may be. */
    isOnRecord: (owner: string, callId: string): Promise<boolean> =>
      Promise.all([records.get(idOf(owner, callId)), findEarlier(owner, callId)]).then(
        (found) => found.some(Boolean),
        () => true,
      ),
  };
};
