import { elapsedMsOf } from "../call-time.ts";
import { outcomeHeader } from "../contract/proxy-headers.ts";
import type { Outcome } from "../errors/error-fields.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { callError, undecodable } from "../errors/make-error.ts";
import type { Answer, Call, Ending } from "../request/call.ts";
import { codeOfStatus, isSuccess, readEnding, type Verdict } from "./decode.ts";
import { isNotSent, rootCauseOf } from "./failed-fetch.ts";
import { findJobId, jobIdOfProxy } from "./json.ts";

const outcomes: readonly unknown[] = ["not-sent", "refused", "unknown"] satisfies Outcome[];

/** Reads what a proxy says of a write: it knows more than its answer's status tells. */
const outcomeByProxy = (
  { config, hasMadeId }: Call,
  { headers, facts }: Ending,
): Outcome | undefined => {
  const outcome = config.hasProxy ? headers?.get(outcomeHeader) : undefined;
  // The proxy does not know who made the id. Every visitor whose session has ended would read of a
  // charge, for the sake of a browser that sends a request again just then.
  if (outcome === "unknown" && hasMadeId && [401, 403].includes(facts.status ?? 0))
    return "refused";
  return outcomes.includes(outcome) ? (outcome as Outcome) : undefined;
};

/** What became of a write; a read has no outcome, because it changes nothing. */
const outcomeOf = (
  call: Call,
  ending: Ending,
  earlier: Outcome | undefined,
): Outcome | undefined => {
  const { wasHandedOver, bodyStayed, facts, thrown } = ending;
  // An earlier attempt may have been carried out.
  if (earlier === undefined || earlier === "unknown") return earlier;
  if (facts.status !== undefined) {
    return outcomeByProxy(call, ending) ?? (codeOfStatus[facts.status] ? "refused" : "unknown");
  }
  return !wasHandedOver || isNotSent(call, thrown, bodyStayed) ? earlier : "unknown";
};

/** Finds the job that the answer to a submission names. Of failures, a proxy's alone is believed. */
const jobIdOf = (call: Call, ending: Ending): string | undefined => {
  const { facts, text, json, clean } = ending;
  if (!call.endpoint.paid) return undefined;
  const id = isSuccess(facts.status)
    ? findJobId(text, json, call.body?.text ?? "")
    : outcomeByProxy(call, ending) && jobIdOfProxy(json);
  // An id that holds the key is none: the service has echoed it.
  return id !== undefined && clean(id) === id ? id : undefined;
};

/**
 * Says what the end of an attempt means: the data of a success, or a typed error.
 *
 * @param earlier - Outcome of the call before this attempt; `undefined` for a read
 */
export const judge = (
  call: Call,
  ending: Ending,
  earlier: Outcome | undefined,
): Answer | { readonly error: AnyAdGenError } => {
  const { facts, clean, attempts, failure, json } = ending;
  const jobId = jobIdOf(call, ending);
  const fields = {
    ...facts,
    outcome: outcomeOf(call, ending, earlier),
    attempts,
    elapsedMs: elapsedMsOf(call),
    received: failure === undefined ? json : undefined,
    ...(jobId !== undefined && { jobId }),
  };
  let verdict: Verdict;
  try {
    verdict = readEnding(call, ending);
  } catch (thrown) {
    // This library itself has failed, as in a process whose `Object.prototype` is polluted. The
    // job's id must not be lost with it.
    const cause = rootCauseOf(thrown, clean);
    verdict = undecodable("data", `data that could not be checked: ${cause.message}`, { cause });
  }
  if (verdict.code !== undefined) return { error: callError(call, verdict, fields) };
  // Named, or it would be read from `Object.prototype`, which other code may pollute.
  return { call, fields, clean, data: verdict.data, error: undefined };
};
