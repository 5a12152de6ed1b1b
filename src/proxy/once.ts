import type { Outcome } from "adgen-sdk";
import { successEnvelope } from "../contract/envelope.ts";
import { outcomeHeader } from "../contract/proxy-headers.ts";
import { sleep } from "../sleep.ts";
import { fail, isAnswer, outcomeOf, type ProxyAnswer, refuse } from "./answer.ts";
import type { SteadyStore } from "./steady-store.ts";

/** A call that must be made at most once. */
export interface NamedCall {
  /** Key of its record: of one owner and one call id. */
  readonly key: string;
  /** Digest of what it asks for. */
  readonly digest: string;
  /** Nothing is done twice when it is carried out twice, as with a deletion. */
  readonly isRepeatable?: boolean | undefined;
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
  /** Tells it from the records of other requests. */
  readonly by: string;
  /** Absent while it is under way, and for ever when its process has died. */
  readonly answer?: ProxyAnswer;
}

/** Pause between two looks for the answer of another process. */
const lookEveryMs = 100;

/** Attempts at one call, each after one that was surely not carried out. */
const mostAttempts = 100;

/** The longest answer that is kept whole, and the most short fields of another. */
const mostKept = 16_384;
const mostFields = 60;

/** The longest field that is kept, and the longest needed one: an id may have 256 letters. */
const longestField = 256;
const longestNeeded = 2_048;

const isNeeded = (name: string): boolean => ["id", "job_id", "status"].includes(name);

/** Keeps the short fields of a large answer, and its id: a few pictures must not fill a store. */
const shorten = (answer: ProxyAnswer): ProxyAnswer => {
  if (answer.body.length <= mostKept || outcomeOf(answer) !== undefined) return answer;
  const fields = Object.entries(JSON.parse(answer.body).data ?? {})
    .sort(([one], [other]) => Number(isNeeded(other)) - Number(isNeeded(one)))
    .filter((field) => {
      const longest = isNeeded(field[0]) ? longestNeeded : longestField;
      return JSON.stringify(field).length <= longest;
    })
    .slice(0, mostFields);
  return { ...answer, body: JSON.stringify(successEnvelope(Object.fromEntries(fields))) };
};

const inDoubt = (): ProxyAnswer =>
  fail(
    502,
    "this call was begun before, and its answer is lost: it may have been carried out. Nothing was sent again",
    { outcome: "unknown" },
  );

/** Takes the place of a record that the store has written too late. */
const notSent = (): ProxyAnswer =>
  fail(503, "the proxy's store failed, so this request was not sent", { outcome: "not-sent" });

const triedTooOften = (outcome: Outcome): ProxyAnswer =>
  fail(
    409,
    `this Idempotency-Key was tried ${mostAttempts} times in vain: take a new one to try again`,
    { outcome },
  );

/** Tells whether a call may be made again: it was surely not carried out, or that does no harm. */
const mayBeMadeAgain = ({ isRepeatable }: NamedCall, answer: ProxyAnswer): boolean => {
  const outcome = outcomeOf(answer);
  if (outcome === "unknown") return isRepeatable === true;
  return outcome === "not-sent" || (answer.status === 429 && outcome === "refused");
};

/** Says of a failure that an earlier attempt may have been carried out. */
const withDoubt = (answer: ProxyAnswer): ProxyAnswer =>
  outcomeOf(answer) === undefined
    ? answer
    : { ...answer, headers: { ...answer.headers, [outcomeHeader]: "unknown" } };

const keyOf = ({ key }: NamedCall, attempt: number): string =>
  attempt === 1 ? key : `${key}:${attempt}`;

const readRecord = (text: string | undefined): CallRecord => {
  try {
    const record: CallRecord = JSON.parse(text ?? "");
    const { digest, at, answer } = record;
    const isRight = typeof digest === "string" && typeof at === "number";
    if (isRight && (answer === undefined || isAnswer(answer))) return record;
  } catch {
    // Not written by a proxy.
  }
  return refuse(
    503,
    "the proxy's memory holds something else at the place of this call: nothing was sent again",
  );
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

  /** A record without an answer must not end before its call. */
  const begunMs = windowMs + longestMs;
  /**
   * Each attempt must be remembered until the last one is old. A first record of a wrong clock lets
   * them be made in two windows, the one before its time and the one after it.
   */
  const keptMs = 2 * windowMs + begunMs;

  const requireSame = (call: NamedCall, { digest }: { readonly digest: string }): void => {
    if (digest !== call.digest) {
      refuse(409, "this Idempotency-Key names another call: take a new one for each call");
    }
  };

  /** Gives the record of another request, and waits until it has an answer. */
  const waitForOther = async (key: string, call: NamedCall) => {
    const begunAt = Date.now();
    for (let hasWaited = false; ; hasWaited = true) {
      const record = readRecord(await store.get(key));
      requireSame(call, record);
      if (record.answer !== undefined) return { record, answer: record.answer, hasWaited };
      // Two clocks: the other machine's may be wrong, so one's own ends the wait, too.
      if (Date.now() - Math.min(record.at, begunAt) > longestMs) {
        return { record, answer: inDoubt(), hasWaited };
      }
      await sleep(lookEveryMs);
    }
  };

  /** Makes the call, or gives the answer of the one who makes it or has made it. */
  const begin = async (
    call: NamedCall,
    send: () => Promise<ProxyAnswer>,
    facts: { repeated: boolean },
  ): Promise<ProxyAnswer> => {
    let first: CallRecord | undefined;
    let mayMake = true;
    let isDoubtful = false;
    // No record is ever removed, so that nothing late can remove the record of a later attempt.
    for (let attempt = 1; attempt <= mostAttempts; attempt++) {
      const key = keyOf(call, attempt);
      const record = { digest: call.digest, at: Date.now(), by: crypto.randomUUID() };
      const withAnswer = (answer: ProxyAnswer) =>
        JSON.stringify({ ...record, answer } satisfies CallRecord);
      const begun = { value: JSON.stringify(record), ttlMs: attempt === 1 ? begunMs : keptMs };
      const ifLate = { value: withAnswer(notSent()), ttlMs: keptMs };
      if (mayMake && (await store.begin(key, begun, ifLate))) {
        // Keys end by the store's clock: the first one must not end before this attempt's.
        if (first?.answer !== undefined) {
          await store.keep(call.key, JSON.stringify(first), { ttlMs: keptMs });
        }
        const given = await send();
        const answer = isDoubtful ? withDoubt(given) : given;
        const ttlMs = attempt === 1 && !mayBeMadeAgain(call, answer) ? windowMs : keptMs;
        await store.keep(key, withAnswer(shorten(answer)), { ttlMs });
        return answer;
      }
      const { record: there, answer, hasWaited } = await waitForOther(key, call);
      first ??= there;
      isDoubtful ||= outcomeOf(answer) === "unknown";
      // A request that has waited gives the answer that it waited for, unless there is a later one.
      mayMake = !hasWaited && Math.abs(Date.now() - first.at) <= windowMs;
      const isLast = async () => (await store.get(keyOf(call, attempt + 1))) === undefined;
      if (!mayBeMadeAgain(call, answer) || (!mayMake && (await isLast()))) {
        facts.repeated = true;
        return answer;
      }
    }
    facts.repeated = true;
    return triedTooOften(isDoubtful ? "unknown" : "refused");
  };

  return async (call: NamedCall, send: () => Promise<ProxyAnswer>): Promise<GivenAnswer> => {
    const first = underWay.get(call.key);
    // Of two different calls by one id, the store says which one it names.
    if (first?.digest === call.digest) return { answer: await first.answer, repeated: true };
    const facts = { repeated: false };
    const one = { digest: call.digest, answer: begin(call, send, facts) };
    if (first === undefined) underWay.set(call.key, one);
    try {
      return { answer: await one.answer, repeated: facts.repeated };
    } finally {
      if (underWay.get(call.key) === one) underWay.delete(call.key);
    }
  };
};
