import { abortedError, timeoutError } from "../call-time.ts";
import { outcomeHeader } from "../contract/proxy-headers.ts";
import { parseSupportedActions } from "../contract/supported-actions.ts";
import type { ErrorFields, Outcome, ServiceErrorCode } from "../errors/error-fields.ts";
import { type AnyAdGenError, isAdGenError } from "../errors/errors.ts";
import { callError, decodeError } from "../errors/make-error.ts";
import { oneLine } from "../errors/text.ts";
import type { ResponseInfo } from "../options/call-options.ts";
import { parseUrl } from "../parse-url.ts";
import type { Answer, Call, Ending } from "../transport/call.ts";
import { connectionError, keyError } from "./connection-error.ts";
import {
  contentTypeOf,
  decodeData,
  describeStranger,
  isSuccessEnvelope,
  readFailure,
} from "./decode.ts";
import { foundNoConnection, isMarkedNotSent, isRefusedAt, textOf } from "./failed-fetch.ts";
import { findJobId, jobIdOfProxy, limitOfProxy } from "./json.ts";

const codeOfStatus: { readonly [status: number]: ServiceErrorCode } = {
  400: "bad_request",
  401: "unauthorized",
  402: "payment_required",
  404: "not_found",
  429: "rate_limited",
};

const outcomes: readonly unknown[] = ["not-sent", "refused", "unknown"] satisfies Outcome[];

/** Reads what a proxy says of a write: it knows more than its answer's status tells. */
const outcomeByProxy = ({ config }: Call, { headers }: ResponseInfo): Outcome | undefined => {
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

const isSuccess = ({ status }: ResponseInfo): boolean => status >= 200 && status < 300;

/** Finds the job that the answer to a submission names. Of failures, a proxy's alone is believed. */
const jobIdOf = (call: Call, { head, text, json }: Ending): string | undefined => {
  if (!call.isPaid || head === undefined || text === undefined) return undefined;
  if (isSuccess(head)) return findJobId(text, json, call.body?.text ?? "");
  return outcomeByProxy(call, head) === undefined ? undefined : jobIdOfProxy(json);
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
  const received = ending.isWhole ? ending.json : undefined;
  const failure = readFailure(received);
  const words = failure && ending.clean(failure);
  const details =
    failure === undefined ? describePage(call, ending, fields) : words && `: ${words}`;
  // A browser shows a redirect as a status of 0.
  const what = `answered ${status || "with a redirect"}${details}${describeWait(fields)}`;
  return callError(call, code, what, {
    ...fields,
    received,
    contentType: ending.isWhole && failure === undefined ? contentTypeOf(ending) : undefined,
    limit: status === 402 && call.config.hasProxy ? limitOfProxy(received) : undefined,
    supportedActions: words && status === 400 ? parseSupportedActions(words) : undefined,
  });
};

/** Makes the error for a success whose body is no JSON. */
const notJsonError = (call: Call, ending: Ending, fields: ErrorFields): AnyAdGenError => {
  const contentType = contentTypeOf(ending);
  const stranger = contentType.endsWith("json")
    ? " with broken or cut-off JSON"
    : describeStranger(call, contentType, "JSON");
  const what = ending.text ? stranger : " without a body";
  return decodeError(call, "not-json", `${fields.status}${what}`, { ...fields, contentType });
};

/** Gives the data of a success; throws a typed error for everything else. */
const read = (call: Call, ending: Ending, fields: ErrorFields): Answer => {
  const { head, clean, isWhole } = ending;
  if (ending.wasAborted) throw abortedError(call, fields);
  if (ending.keyFailure) throw keyError(call, ending.keyFailure, fields);
  if (head && !isSuccess(head)) throw statusError(call, ending, fields);
  if (ending.isTooLarge) {
    const what = `more than maxResponseBytes (${call.config.maxResponseBytes})`;
    throw decodeError(call, "too-large", what, fields);
  }
  if (ending.timeOver && !isWhole) throw timeoutError(call, fields, ending.timeOver);
  if (!head || !isWhole) throw connectionError(call, ending, fields);

  const isEmpty = !ending.text && call.empty !== undefined;
  const body = isEmpty ? { success: true, data: call.empty, error: null } : ending.json;
  if (body === undefined) throw notJsonError(call, ending, fields);
  const known = { ...fields, received: body };
  if (isSuccessEnvelope(body)) {
    return { call, fields: known, clean, data: decodeData(call, known, body.data) };
  }
  // A success of HTTP may still be the envelope of a failure.
  if (readFailure(body) !== undefined) throw statusError(call, ending, fields);
  const what = `${head.status}, not in the service's form { success, data, error }`;
  throw decodeError(call, "envelope", what, known);
};

/**
 * Says what the end of an attempt means: gives the data of a success, or throws a typed error.
 *
 * @param earlier - Outcome of the call before this attempt; `undefined` for a read
 */
export const judge = (call: Call, ending: Ending, earlier: Outcome | undefined): Answer => {
  const fields = fieldsOf(call, ending, earlier);
  try {
    return read(call, ending, fields);
  } catch (thrown) {
    if (isAdGenError(thrown)) throw thrown;
    // This library itself has failed, as in a process whose `Object.prototype` is polluted. The
    // job's id must not be lost with it.
    const cause = new Error(ending.clean(textOf(thrown)));
    const what = `data that could not be checked: ${cause.message}`;
    throw decodeError(call, "data", what, { ...fields, cause });
  }
};
