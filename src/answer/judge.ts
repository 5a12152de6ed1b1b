import { outcomeHeader } from "../contract/proxy-headers.ts";
import { parseSupportedActions } from "../contract/supported-actions.ts";
import type { ErrorFields, Outcome, ServiceErrorCode } from "../errors/error-fields.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { callError, decodeError } from "../errors/make-error.ts";
import { oneLine } from "../errors/text.ts";
import { parseUrl } from "../parse-url.ts";
import type { Answered, Call, Ending, ResponseHead } from "../transport/call.ts";
import { connectionError, keyError } from "./connection-error.ts";
import {
  contentTypeOf,
  decodeData,
  describeStranger,
  isSuccessEnvelope,
  readFailure,
  readJson,
} from "./decode.ts";
import { foundNoConnection, isMarkedNotSent, isRefusedAt, textOf } from "./failed-fetch.ts";
import { findJobId, jobIdOfProxy } from "./json.ts";

/** The data of an answer, and the facts that later checks need. */
export interface Judged extends Answered {
  readonly data: unknown;
}

const codeOfStatus: { readonly [status: number]: ServiceErrorCode } = {
  400: "bad_request",
  401: "unauthorized",
  402: "payment_required",
  404: "not_found",
  429: "rate_limited",
};

/**
 * Makes the error of an answer on which this library itself has failed, as in a process whose
 * `Object.prototype` is polluted. The job's id must not be lost with it.
 */
export const failedError = (
  call: Call,
  ending: Ending,
  earlier: Outcome | undefined,
  thrown: unknown,
): AnyAdGenError => {
  const cause = new Error(ending.clean(textOf(thrown)));
  const fields = { ...fieldsOf(call, ending, earlier), cause };
  return decodeError(call, "data", `data that could not be checked: ${cause.message}`, fields);
};

const outcomes: readonly unknown[] = ["not-sent", "refused", "unknown"] satisfies Outcome[];

/** Reads what a proxy says of a write: it knows more than its answer's status tells. */
const outcomeByProxy = ({ config }: Call, { headers }: ResponseHead): Outcome | undefined => {
  const outcome = config.hasProxy ? headers.get(outcomeHeader) : undefined;
  return outcomes.includes(outcome) ? (outcome as Outcome) : undefined;
};

/** Says what became of a write; a read has no outcome, because it changes nothing. */
const outcomeOf = (
  call: Call,
  { wasHandedOver, bodyStayed, head, thrown }: Ending,
  earlier: Outcome | undefined,
): Outcome | undefined => {
  if (!call.isWrite) return undefined;
  if (earlier === "unknown") return "unknown"; // an earlier attempt may have been carried out
  // Statuses that have a code of their own mean that the request was not carried out.
  if (head !== undefined) {
    return outcomeByProxy(call, head) ?? (codeOfStatus[head.status] ? "refused" : "unknown");
  }
  if (!wasHandedOver) return earlier;
  if (isRefusedAt(thrown, call.url)) return earlier;
  // A caller's fetch is believed when it says so. The runtime's error needs a body that stayed here,
  // because other code may have wrapped the global fetch: a DELETE has none, and no proof.
  const isProven = call.config.fetch
    ? isMarkedNotSent(thrown)
    : bodyStayed && foundNoConnection(thrown);
  return isProven ? earlier : "unknown";
};

const isSuccess = ({ status }: ResponseHead): boolean => status >= 200 && status < 300;

/** Finds the job that the answer to a submission names. Of failures, a proxy's alone is believed. */
const jobIdOf = (call: Call, { head, text }: Ending): string | undefined => {
  if (!call.isPaid || head === undefined || text === undefined) return undefined;
  if (isSuccess(head)) return findJobId(text, call.input.body ?? "");
  return outcomeByProxy(call, head) === undefined ? undefined : jobIdOfProxy(text);
};

const fieldsOf = (call: Call, ending: Ending, earlier: Outcome | undefined): ErrorFields => {
  const { head, clean } = ending;
  const jobId = jobIdOf(call, ending);
  return {
    status: head?.status,
    requestId: head?.requestId,
    retryAfterMs: head?.retryAfterMs,
    outcome: outcomeOf(call, ending, earlier),
    // An id that holds the key is none: the service has echoed it.
    ...(jobId !== undefined && clean(jobId) === jobId && { jobId }),
  };
};

/** Makes the error of an aborted call. */
export const abortedError = (call: Call, fields: ErrorFields): AnyAdGenError => {
  const cause: unknown = call.options.signal?.reason;
  // `AbortSignal.timeout` says so by its name; other reasons are the caller's own text.
  const why = (cause as Error | undefined)?.name === "TimeoutError" ? " (TimeoutError)" : "";
  return callError(call, "aborted", `was aborted${why}`, { ...fields, cause });
};

/** Makes the error of a call whose time is over. */
export const timeoutError = (
  call: Call,
  fields: ErrorFields,
  timeLabel: string,
  what = "timed out",
): AnyAdGenError => callError(call, "timeout", `${what} after ${timeLabel}`, fields);

const notFollowed = ": redirects are not followed";

const describeRedirect = ({ url }: Call, { head, clean }: Ending): string => {
  const target = parseUrl(head?.headers.get("location") ?? "", url);
  const isOwn = target?.origin === new URL(url).origin;
  if (isOwn || !target?.protocol.startsWith("http")) return notFollowed;
  const origin = oneLine(clean(target.origin), 100);
  return `${notFollowed}; it leads to ${origin}: set baseUrl to that`;
};

const describeWait = ({ status, retryAfterMs }: ErrorFields): string =>
  status === 429 && retryAfterMs !== undefined
    ? `; try again in ${Math.ceil(retryAfterMs / 1000)} s`
    : "";

/** Describes an answer that is not in the service's form. */
const describePage = (call: Call, ending: Ending, { status = 0 }: ErrorFields): string => {
  if (status < 400) return status === 304 ? "" : describeRedirect(call, ending);
  return ending.isWhole && status < 500 && status !== 429
    ? describeStranger(call, contentTypeOf(ending), "in the service's form")
    : "";
};

/** Makes the error for an answer that is not a success. */
const statusError = (call: Call, ending: Ending, fields: ErrorFields): AnyAdGenError => {
  const { status = 0 } = fields;
  const code = codeOfStatus[status] ?? (status > 499 ? "server_error" : "unexpected_status");
  const received = ending.isWhole ? readJson(ending)?.body : undefined;
  const failure = readFailure(received);
  const words = failure && ending.clean(failure.message);
  const details = failure ? words && `: ${words}` : describePage(call, ending, fields);
  // A browser shows a redirect as a status of 0.
  const what = `answered ${status || "with a redirect"}${details}${describeWait(fields)}`;
  return callError(call, code, what, {
    ...fields,
    received,
    contentType: ending.isWhole && !failure ? contentTypeOf(ending) : undefined,
    supportedActions: words && status === 400 ? parseSupportedActions(words) : undefined,
  });
};

/** Parses the body of a success; throws where it is no JSON. */
const bodyOf = (call: Call, ending: Ending, fields: ErrorFields): unknown => {
  const { empty } = call.input;
  if (!ending.text && empty !== undefined) return { success: true, data: empty, error: null };
  const parsed = readJson(ending);
  if (parsed !== undefined) return parsed.body;
  const contentType = contentTypeOf(ending);
  const stranger = contentType.endsWith("json")
    ? " with broken or cut-off JSON"
    : describeStranger(call, contentType, "JSON");
  const what = ending.text ? stranger : " without a body";
  throw decodeError(call, "not-json", `${fields.status}${what}`, { ...fields, contentType });
};

/**
 * Says what the end of an attempt means: gives the data of a success, or throws a typed error.
 *
 * @param earlier - Outcome of the call before this attempt; `undefined` for a read
 */
export const judge = (call: Call, ending: Ending, earlier: Outcome | undefined): Judged => {
  const { head, clean, isWhole } = ending;
  const fields = fieldsOf(call, ending, earlier);
  if (ending.wasAborted) throw abortedError(call, fields);
  if (ending.keyFailure) throw keyError(call, ending.keyFailure, fields);
  if (head && !isSuccess(head)) throw statusError(call, ending, fields);
  if (ending.isTooLarge) {
    const what = `more than maxResponseBytes (${call.config.maxResponseBytes})`;
    throw decodeError(call, "too-large", what, fields);
  }
  if (ending.timeOver && !isWhole) throw timeoutError(call, fields, ending.timeOver);
  if (!head || !isWhole) throw connectionError(call, ending, fields);

  const body = bodyOf(call, ending, fields);
  const known = { ...fields, received: body };
  if (isSuccessEnvelope(body)) {
    return { call, fields: known, clean, data: decodeData(call, known, body.data) };
  }
  // A success of HTTP may still be the envelope of a failure.
  if (readFailure(body)) throw statusError(call, ending, fields);
  const what = `${head.status}, not in the service's form { success, data, error }`;
  throw decodeError(call, "envelope", what, known);
};
