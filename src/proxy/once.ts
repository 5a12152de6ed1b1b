import { isAdGenError } from "adgen-sdk";
import { endpoints } from "../contract/endpoint.ts";
import { successEnvelope } from "../contract/envelope.ts";
import { outcomeHeader } from "../contract/proxy-headers.ts";
import { createBegin, type PaidAnswer } from "../submissions/begin.ts";
import type { PreparedCall } from "../submissions/call-errors.ts";
import { createClaims } from "../submissions/claims.ts";
import type { Clock } from "../submissions/clock.ts";
import { createDoubts } from "../submissions/doubts.ts";
import type { RecordStore } from "../submissions/record-store.ts";
import { createToken, openTimedList, type Standing } from "../submissions/records.ts";
import { createRecords } from "../submissions/records-in-store.ts";
import { digestOf } from "../submissions/request-digest.ts";
import { createSettling } from "../submissions/settle.ts";
import { fail, isAnswer, outcomeOf, type ProxyAnswer, refuse } from "./answer.ts";
import type { OwnedCall } from "./perform.ts";
import type { ProxyConfig } from "./resolve-proxy-config.ts";

/** The answer to a call, and whether it was there before. */
export interface GivenAnswer {
  readonly answer: ProxyAnswer;
  readonly repeated: boolean;
}

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

/** Pause before it asks again whether submissions have ended. */
const underWayPauseMs = 250;

/** Makes the answer to a call that has waited for another one of its id, which was not carried out. */
const waitedInVain = (): ProxyAnswer =>
  fail(503, "another request of this call was not carried out, and this one was not sent", {
    outcome: "not-sent",
  });

/** Tells whether the same id may be sent again: the call was surely not carried out. */
const isFree = (answer: ProxyAnswer): boolean => {
  const outcome = outcomeOf(answer);
  return outcome === "not-sent" || (answer.status === 429 && outcome === "refused");
};

/** Says of a failure that an earlier attempt may have been carried out. */
const withDoubt = (answer: ProxyAnswer): ProxyAnswer =>
  outcomeOf(answer) === undefined
    ? answer
    : { ...answer, headers: { ...answer.headers, [outcomeHeader]: "unknown" } };

/** Reads the answer of an earlier call. */
const readAnswer = ({ answer }: PaidAnswer): ProxyAnswer =>
  isAnswer(answer)
    ? answer
    : refuse(
        503,
        "the proxy's memory holds something else at the place of this call: nothing was sent again",
      );

/** Makes the answer to a call that an earlier one of its id has kept from being sent. */
const answerTo = (error: unknown): ProxyAnswer => {
  if (!isAdGenError(error)) throw error;
  const { code, outcome, retryAfterMs } = error;
  switch (code) {
    case "invalid_request":
      if (outcome === "unknown") return fail(409, "this call was given up", { outcome });
      return refuse(409, "this Idempotency-Key names another call: take a new one for each call");
    case "in_doubt":
      return fail(
        502,
        "this call was begun before, and its answer is lost: it may have been carried out. Nothing was sent again",
        { outcome: "unknown" },
      );
    case "under_way":
      return fail(503, "this call is under way, and has no answer yet: ask again later", {
        ...{ outcome: "unknown", retryAfterMs },
      });
    default:
      throw error;
  }
};

/** Makes the calls of a proxy. Those that have an id are made once; new things are on record. */
export const createOnce = (
  { callWindowMs, storeTimeoutMs, timeoutMs = 60_000 }: ProxyConfig,
  store: RecordStore,
  clock: Clock,
  perform: (call: OwnedCall) => Promise<ProxyAnswer>,
) => {
  const records = createRecords(store);
  /** Ends of calls that the page waits for until the store has taken them, or has failed to. */
  const waits = new Map<string, AbortController>();
  const settling = createSettling(
    records,
    createClaims(store, records),
    clock,
    () => {},
    (_, id) => waits.get(id)?.abort(),
  );
  const doubts = createDoubts(records, clock);
  const begin = createBegin(records, settling, doubts, clock);

  /** Time of a call: its checks, which ask the store, and then the service's answer. */
  const callMs = Math.max(10_000, 3 * storeTimeoutMs) + timeoutMs;

  /** Calls of this process: a repeat waits for them without the store. */
  const underWay = new Map<string, { digest: string | undefined; given: Promise<GivenAnswer> }>();

  /** Ids whose end the store has not taken yet. */
  const late = new Set<string>();

  const idOf = (owner: string, callId: string): string =>
    `proxy:${encodeURIComponent(owner)}:${callId}`;

  const makeOne = async (
    call: OwnedCall,
    id: string,
    digest: string | undefined,
    isGenerated: boolean,
  ): Promise<GivenAnswer> => {
    // Long enough for another process to answer, or to be held for lost, and then for its own call.
    const endsAt = clock.now() + 2 * callMs + 10_000;
    let leftMs = (): number => Math.min(callMs, endsAt - clock.now());
    let answer: ProxyAnswer | undefined;
    const wait = new AbortController();
    const facts = { method: call.name, submittedAt: new Date().toISOString(), request: {}, digest };
    const prepared: PreparedCall = {
      ...{ id, digest, timeoutMs: callMs, signal: wait.signal, leftMs: () => leftMs() },
      attempt: { facts, isGenerated, ttlMs: callWindowMs },
    };
    try {
      const earlier = await begin(prepared, async ({ mayLeave, hasWaited }) => {
        leftMs = () => timeoutMs;
        // The page may have been told of the other's end: it must stay true.
        answer = hasWaited ? waitedInVain() : await perform({ ...call, mayLeave });
        waits.set(id, wait);
        // Nothing repeats an id that was made for one call: its record was there to keep room.
        return isGenerated || isFree(answer)
          ? { verdict: "free", error: answer }
          : { verdict: "settled", answer: shorten(answer) };
      });
      return { answer: answer ?? readAnswer(earlier), repeated: answer === undefined };
    } catch (error) {
      return { answer: answer ?? answerTo(error), repeated: answer === undefined };
    } finally {
      waits.delete(id);
      if (settling.lateOf(id) !== undefined) late.add(id);
    }
  };

  /** Makes a call, or waits for the one of this process that makes it. */
  const share = async (call: OwnedCall, id: string): Promise<GivenAnswer> => {
    const digest = await digestOf(call.name, [call.id, call.body]);
    const first = underWay.get(id);
    // Of two different calls by one id, the store says which one it names.
    if (first?.digest === digest && first) return { ...(await first.given), repeated: true };
    const one = { digest, given: makeOne(call, id, digest, false) };
    if (first === undefined) underWay.set(id, one);
    try {
      return await one.given;
    } finally {
      if (underWay.get(id) === one) underWay.delete(id);
    }
  };

  /** Gives the attempts at submissions that are under way, in any process. */
  const submissionsUnderWay = async (): Promise<readonly string[]> => {
    const isOurs = ({ id, record }: Standing): boolean =>
      id.startsWith("proxy:") && record?.attempt.facts.method === "jobs.submit";
    const open = (await records.list(openTimedList)).filter(isOurs);
    // Those whose process has ended are lost: nothing would wait for them for ever.
    const now = await Promise.all(open.map(doubts.markIfOver));
    return now.flatMap((there) =>
      there?.record?.state === "sending" ? there.record.attempt.token : [],
    );
  };

  return {
    /**
     * Waits until each submission that is under way has its owner, or is lost: a job that a list
     * shows may be one of theirs. Gives whether all of them have ended in time.
     */
    async outlastSubmissions(withinMs: number): Promise<boolean> {
      const endsAt = clock.now() + withinMs;
      const begun = new Set(await submissionsUnderWay());
      while (begun.size > 0 && clock.now() < endsAt) {
        await clock.sleep(underWayPauseMs);
        const open = new Set(await submissionsUnderWay());
        for (const token of begun) if (!open.has(token)) begun.delete(token);
      }
      return begun.size === 0;
    },
    /** Makes a call, or gives the answer to an earlier one of its id. It rejects when the store fails. */
    async make(call: OwnedCall, callId: string | undefined): Promise<GivenAnswer> {
      const { creates, method } = { creates: undefined, ...endpoints[call.name] };
      if (callId === undefined) {
        if (creates === undefined) return { answer: await perform(call), repeated: false };
        return makeOne(call, idOf(call.owner, createToken()), undefined, true);
      }
      const given = await share(call, idOf(call.owner, callId));
      // Nothing is done twice when a deletion is sent twice.
      if (!given.repeated || method !== "DELETE" || outcomeOf(given.answer) !== "unknown") {
        return given;
      }
      return { answer: withDoubt(await perform(call)), repeated: false };
    },
    /** Tells whether a call of the id is on record; one that cannot be read may be. */
    isOnRecord: (owner: string, callId: string): Promise<boolean> =>
      records.get(idOf(owner, callId)).then(
        (record) => record !== undefined,
        () => true,
      ),
    /** Resolves when the store has the end of each call. */
    async idle(): Promise<void> {
      for (const id of late) {
        while (settling.lateOf(id) !== undefined) await clock.rest(1_000);
        late.delete(id);
      }
    },
  };
};
