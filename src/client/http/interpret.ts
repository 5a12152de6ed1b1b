import { callIdHeader, outcomeHeader } from "../../contract/proxy-answers.ts";
import type { Outcome } from "../errors/error-fields.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { callError } from "../errors/make-error.ts";
import type { AttemptEnd, Call, CheckedResponse } from "./call.ts";
import { elapsedMsOf } from "./call-time.ts";
import {
  codeOfStatus,
  decode,
  fieldsOf,
  findJobId,
  isOfProxy,
  isSuccessStatus,
  jobIdOfProxy,
} from "./decode.ts";
import { isNotSent } from "./failed-fetch.ts";
import { isRespelling } from "./redirect.ts";

const outcomes: readonly unknown[] = ["not-sent", "refused", "unknown"] satisfies Outcome[];

/**
 * Reads the outcome that the proxy reports, because the proxy knows more about a write than the
 * status says.
 */
const outcomeByProxy = (
  { config, hasMadeId }: Call,
  { headers, facts }: AttemptEnd,
): Outcome | undefined => {
  const outcome = config.hasProxy ? headers?.get(outcomeHeader) : undefined;
  // With a 401 or 403 the proxy reports "unknown", because an earlier copy of the call may have
  // been sent. If the client generated the id, only a resend by the browser could be that copy.
  // That is too rare to warn every visitor whose session has ended of a possible charge.
  if (outcome === "unknown" && hasMadeId && [401, 403].includes(facts.status ?? 0))
    return "refused";
  return outcomes.includes(outcome) ? (outcome as Outcome) : undefined;
};

/**
 * Whether a response shows that this package's proxy got the call, and carries it out once for its
 * id.
 */
export const isKeptByProxy = (call: Call, ending: AttemptEnd): boolean =>
  call.endpoint.creates !== undefined &&
  Object.hasOwn(call.headers, callIdHeader) &&
  isOfProxy(call, ending);

/** Decides what became of a write. A read has no outcome, because it changes nothing. */
const outcomeOf = (
  call: Call,
  ending: AttemptEnd,
  earlier: Outcome | undefined,
): Outcome | undefined => {
  const { wasHandedOver, facts } = ending;
  // An earlier attempt may have been carried out.
  if (earlier === undefined || earlier === "unknown") return earlier;
  if (facts.status !== undefined) {
    if (!isSuccessStatus(facts.status) && isRespelling(call, ending)) return "not-sent";
    return outcomeByProxy(call, ending) ?? (codeOfStatus[facts.status] ? "refused" : "unknown");
  }
  return !wasHandedOver || isNotSent(call, ending) ? earlier : "unknown";
};

/**
 * Finds the job that the response to a submission names. Among failures, only those of this
 * package's own proxy may name a job.
 */
const jobIdOf = (call: Call, ending: AttemptEnd): string | undefined => {
  const { facts, json, redactLine } = ending;
  if (!call.endpoint.paid) return undefined;
  const id = isSuccessStatus(facts.status)
    ? findJobId(json)
    : outcomeByProxy(call, ending) && jobIdOfProxy(json);
  // Ignore an id that contains the API key: the service echoed our header.
  return id !== undefined && redactLine(id) === id ? id : undefined;
};

/**
 * Interprets the end of an attempt: the data of a success, or a typed error.
 *
 * @param earlier - Outcome of the call before this attempt; `undefined` for a read
 */
export const interpret = (
  call: Call,
  ending: AttemptEnd,
  earlier: Outcome | undefined,
): CheckedResponse | { readonly error: AnyAdGenError } => {
  const { facts, redactLine, attempts, failure, json } = ending;
  const jobId = jobIdOf(call, ending);
  const { error } = fieldsOf(json);
  const serviceMessage = typeof error === "string" ? redactLine(error) : undefined;
  const fields = {
    ...facts,
    outcome: outcomeOf(call, ending, earlier),
    attempts,
    elapsedMs: elapsedMsOf(call),
    received: failure === undefined ? json : undefined,
    serviceMessage,
    ...(jobId !== undefined && { jobId }),
  };
  const decoded = decode(call, ending, serviceMessage);
  if (decoded.code !== undefined) return { error: callError(call, decoded, fields) };
  return { call, fields, redactLine, data: decoded.data };
};
