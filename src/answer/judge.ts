import { elapsedMsOf, failedCall } from "../call-time.ts";
import { isSuccessEnvelope, readFailure, successEnvelope } from "../contract/envelope.ts";
import { outcomeHeader } from "../contract/proxy-headers.ts";
import { parseSupportedActions } from "../contract/supported-actions.ts";
import type { ErrorFields, Outcome, ServiceErrorCode } from "../errors/error-fields.ts";
import { type AnyAdGenError, isAdGenError } from "../errors/errors.ts";
import { callError, decodeError } from "../errors/make-error.ts";
import { oneLine } from "../errors/text.ts";
import { parseUrl } from "../parse-url.ts";
import type { Answer, Call, Ending } from "../transport/call.ts";
import { decodeData } from "./decode.ts";
import { foundNoConnection, isMarkedNotSent, isRefusedAt, rootCauseOf } from "./failed-fetch.ts";
import { findJobId, jobIdOfProxy, limitOfProxy } from "./json.ts";

/** Statuses with a code of their own. All of them mean that the request was not carried out. */
const codeOfStatus: { readonly [status: number]: ServiceErrorCode } = {
  400: "bad_request",
  401: "unauthorized",
  402: "payment_required",
  404: "not_found",
  429: "rate_limited",
};

const outcomes: readonly unknown[] = ["not-sent", "refused", "unknown"] satisfies Outcome[];

/** Reads what a proxy says of a write: it knows more than its answer's status tells. */
const outcomeByProxy = ({ config }: Call, { head }: Ending): Outcome | undefined => {
  const outcome = config.hasProxy ? head?.headers.get(outcomeHeader) : undefined;
  return outcomes.includes(outcome) ? (outcome as Outcome) : undefined;
};

/** Says what became of a write; a read has no outcome, because it changes nothing. */
const outcomeOf = (
  call: Call,
  ending: Ending,
  earlier: Outcome | undefined,
): Outcome | undefined => {
  const { wasHandedOver, bodyStayed, head, thrown } = ending;
  if (!call.isWrite) return undefined;
  if (earlier === "unknown") return "unknown"; // an earlier attempt may have been carried out
  if (head !== undefined) {
    return outcomeByProxy(call, ending) ?? (codeOfStatus[head.status] ? "refused" : "unknown");
  }
  if (!wasHandedOver || isRefusedAt(thrown, call.url)) return earlier;
  // A caller's fetch is believed when it says so. The runtime's error needs a body that stayed here,
  // because other code may have wrapped the global fetch: a DELETE has none, and no proof.
  const isProven = call.config.fetch
    ? isMarkedNotSent(thrown)
    : bodyStayed && foundNoConnection(thrown);
  return isProven ? earlier : "unknown";
};

const isSuccess = (status = 0): boolean => status >= 200 && status < 300;

/** Finds the job that the answer to a submission names. Of failures, a proxy's alone is believed. */
const jobIdOf = (call: Call, ending: Ending): string | undefined => {
  const { head, text, json } = ending;
  if (!call.isPaid) return undefined;
  if (isSuccess(head?.status)) return findJobId(text, json, call.body?.text ?? "");
  return outcomeByProxy(call, ending) && jobIdOfProxy(json);
};

const fieldsOf = (call: Call, ending: Ending, earlier: Outcome | undefined): ErrorFields => {
  const { head, clean, attempt } = ending;
  const jobId = jobIdOf(call, ending);
  return {
    status: head?.status,
    requestId: head?.requestId,
    retryAfterMs: head?.retryAfterMs,
    outcome: outcomeOf(call, ending, earlier),
    attempts: attempt,
    elapsedMs: elapsedMsOf(call),
    // A part of an answer is none.
    received: ending.failure === undefined ? ending.json : undefined,
    // An id that holds the key is none: the service has echoed it.
    ...(jobId !== undefined && clean(jobId) === jobId && { jobId }),
  };
};

/** The answer's content type, without parameters; empty when it names none. */
const contentTypeOf = ({ head, clean }: Ending): string =>
  clean((head?.headers.get("content-type") ?? "").split(";", 1)[0]?.trim() ?? "");

/** Describes an answer that the service cannot have given. */
const describeForeign = ({ url }: Call, contentType: string, wanted: string): string =>
  `${contentType && ` with ${contentType}`}, not ${wanted} (check baseUrl: ${new URL(url).host})`;

const describeRedirect = ({ url }: Call, { head, clean }: Ending): string => {
  const notFollowed = ": redirects are not followed";
  const target = parseUrl(head?.headers.get("location") ?? "", url);
  const isOwn = target?.origin === new URL(url).origin;
  if (isOwn || !target?.protocol.startsWith("http")) return notFollowed;
  const origin = oneLine(clean(target.origin), 100);
  return `${notFollowed}; it leads to ${origin}: set baseUrl to that`;
};

/** Makes the error for an answer that is not a success. `words` are those of a failure's envelope. */
const statusError = (
  call: Call,
  ending: Ending,
  fields: ErrorFields,
  words: string | undefined,
): AnyAdGenError => {
  const { status = 0, retryAfterMs, received } = fields;
  const isWhole = ending.failure === undefined;
  const contentType = isWhole && words === undefined ? contentTypeOf(ending) : undefined;
  // A browser shows a redirect as a status of 0.
  let what = `answered ${status || "with a redirect"}`;
  if (words !== undefined) what += words && `: ${words}`;
  else if (status < 400) what += status === 304 ? "" : describeRedirect(call, ending);
  else if (contentType !== undefined && status < 500 && status !== 429) {
    what += describeForeign(call, contentType, "in the service's form");
  }
  if (status === 429 && retryAfterMs !== undefined) {
    what += `; try again in ${Math.ceil(retryAfterMs / 1000)} s`;
  }
  const code = codeOfStatus[status] ?? (status > 499 ? "server_error" : "unexpected_status");
  return callError(call, code, what, {
    ...fields,
    contentType,
    limit: status === 402 && call.config.hasProxy ? limitOfProxy(received) : undefined,
    supportedActions: words && status === 400 ? parseSupportedActions(words) : undefined,
  });
};

/** Makes the error for a success whose body is no JSON. */
const notJsonError = (call: Call, ending: Ending, fields: ErrorFields): AnyAdGenError => {
  const contentType = contentTypeOf(ending);
  let what = `${fields.status} without a body`;
  if (ending.text) {
    what = contentType.endsWith("json")
      ? `${fields.status} with broken or cut-off JSON`
      : `${fields.status}${describeForeign(call, contentType, "JSON")}`;
  }
  return decodeError(call, "not-json", what, { ...fields, contentType });
};

/** Gives the data of a success; throws a typed error for everything else. */
const read = (call: Call, ending: Ending, fields: ErrorFields): Answer => {
  const { clean, failure } = ending;
  const { status, received } = fields;
  const words = readFailure(received);
  // An abort is told before all; a success of HTTP may still be the envelope of a failure.
  if (status !== undefined && failure?.code !== "aborted") {
    if (!isSuccess(status) || words !== undefined) {
      throw statusError(call, ending, fields, words && clean(words));
    }
  }
  if (failure !== undefined) throw failedCall(call, failure, fields);

  const { empty } = call;
  const body = empty && !ending.text ? successEnvelope(empty) : received;
  if (body === undefined) throw notJsonError(call, ending, fields);
  if (!isSuccessEnvelope(body)) {
    const what = `${status}, not in the service's form { success, data, error }`;
    throw decodeError(call, "envelope", what, fields);
  }
  const data = decodeData(call, fields, empty ? (body.data ?? empty) : body.data);
  return { call, fields, clean, data };
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
    const cause = rootCauseOf(thrown, ending.clean);
    const what = `data that could not be checked: ${cause.message}`;
    throw decodeError(call, "data", what, { ...fields, cause });
  }
};
