import { sleep } from "../sleep.ts";
import { fail, outcomeOf, type ProxyAnswer, refuse } from "./answer.ts";
import type { SteadyStore } from "./steady-store.ts";

/** A call that must be made at most once. */
export interface NamedCall {
  /** Key of its record: of one owner and one call id. */
  readonly key: string;
  /** Digest of what it asks for. */
  readonly digest: string;
}

/** The answer to a call, and whether it was there before. */
export interface GivenAnswer {
  readonly answer: ProxyAnswer;
  readonly repeated: boolean;
}

/** Record of a call: it stands from before the request leaves. */
interface CallRecord {
  readonly digest: string;
  /** Time of its beginning, in milliseconds since 1970. */
  readonly at: number;
  /** Absent while it is under way, and for ever when its process has died. */
  readonly answer?: ProxyAnswer;
}

/** Pause between two looks for the answer of another process. */
const lookEveryMs = 100;

/** Rounds in which others may begin the same call and be refused, one after the other. */
const mostRounds = 10;

const inDoubt = (): ProxyAnswer =>
  fail(
    502,
    "this call was begun before, and its answer is lost: it may have been carried out. Nothing was sent again",
    { outcome: "unknown" },
  );

/** Tells whether a call may be made again: it was surely not carried out, and may be now. */
const mayBeMadeAgain = (answer: ProxyAnswer): boolean =>
  outcomeOf(answer) === "not-sent" || (answer.status === 429 && outcomeOf(answer) === "refused");

const readRecord = (text: string): CallRecord => {
  try {
    const record: CallRecord = JSON.parse(text);
    if (typeof record.digest === "string" && typeof record.at === "number") return record;
  } catch {
    // Not written by a proxy.
  }
  return refuse(503, "the proxy's memory holds something else at the place of this call");
};

/**
 * Makes the function that makes a call at most once. A record stands before the request leaves. A
 * repeat gets the first one's answer, waits for it, or is told that it is in doubt.
 *
 * @param longestMs - Time after which a call that has no answer will get none
 */
export const createOnce = (store: SteadyStore, windowMs: number, longestMs: number) => {
  /** Calls of this process: a repeat waits for them without the store. */
  const underWay = new Map<string, { readonly digest: string; answer: Promise<ProxyAnswer> }>();

  const requireSame = (call: NamedCall, { digest }: { readonly digest: string }): void => {
    if (digest !== call.digest) {
      refuse(409, "this Idempotency-Key names another call: take a new one for each call");
    }
  };

  /** Makes a call that this process has put on record, and remembers its answer. */
  const make = async (
    { key, digest }: NamedCall,
    at: number,
    send: () => Promise<ProxyAnswer>,
  ): Promise<ProxyAnswer> => {
    const answer = await send();
    if (mayBeMadeAgain(answer)) await store.forget(key);
    else await store.keep(key, JSON.stringify({ digest, at, answer }), { ttlMs: windowMs });
    return answer;
  };

  /** Waits for the answer of another process; `undefined` when the call may be made again. */
  const waitForOther = async (call: NamedCall): Promise<ProxyAnswer | undefined> => {
    const begunAt = Date.now();
    for (;;) {
      const text = await store.get(call.key);
      if (text === undefined) return undefined;
      const record = readRecord(text);
      requireSame(call, record);
      if (record.answer !== undefined) return record.answer;
      // Two clocks: the other machine's may be wrong, so one's own ends the wait, too.
      if (Date.now() - Math.min(record.at, begunAt) > longestMs) return inDoubt();
      await sleep(lookEveryMs);
    }
  };

  const begin = async (
    call: NamedCall,
    send: () => Promise<ProxyAnswer>,
    facts: { repeated: boolean },
  ): Promise<ProxyAnswer> => {
    // A store that gives neither a place nor a record is wrong: it must not be asked for ever.
    for (let round = 0; round < mostRounds; round++) {
      const at = Date.now();
      const record = JSON.stringify({ digest: call.digest, at } satisfies CallRecord);
      if (await store.setIfAbsent(call.key, record, { ttlMs: windowMs })) {
        return make(call, at, send);
      }
      const answer = await waitForOther(call);
      facts.repeated = answer !== undefined;
      if (answer !== undefined) return answer;
    }
    return refuse(503, "the proxy's memory contradicts itself, and nothing was sent");
  };

  return async (call: NamedCall, send: () => Promise<ProxyAnswer>): Promise<GivenAnswer> => {
    const first = underWay.get(call.key);
    if (first !== undefined) {
      requireSame(call, first);
      return { answer: await first.answer, repeated: true };
    }
    const facts = { repeated: false };
    const answer = begin(call, send, facts);
    underWay.set(call.key, { digest: call.digest, answer });
    try {
      return { answer: await answer, repeated: facts.repeated };
    } finally {
      underWay.delete(call.key);
    }
  };
};
