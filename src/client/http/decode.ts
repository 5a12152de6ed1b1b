import { parseSupportedActions } from "../../contract/actions.ts";
import type { Envelope } from "../../contract/envelope.ts";
import { readPage } from "../../contract/page.ts";
import type { ReachedLimit } from "../../contract/proxy-answers.ts";
import { outcomeHeader } from "../../contract/proxy-answers.ts";
import { createCheck } from "../../contract/schema.ts";
import type { ErrorCode } from "../errors/error-fields.ts";
import { decodeFailure, type Failure, misfitFailure } from "../errors/make-error.ts";
import { describeKind } from "../errors/text.ts";
import { usableId } from "../options/rules.ts";
import type { AttemptEnd, Call } from "./call.ts";
import { describeRedirect } from "./redirect.ts";

/** Parses JSON. Returns `undefined` for any other text. */
export const parseJsonBody = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The fields of a parsed body, before any check. */
interface Unchecked {
  readonly success?: unknown;
  readonly data?: { readonly job_id?: unknown } | null;
  readonly error?: unknown;
  readonly job_id?: unknown;
  readonly limit?: Partial<ReachedLimit> | null;
}

/** Reads the fields of a parsed body, which may be any value. */
export const fieldsOf = (json: unknown): Unchecked => json ?? {};

/**
 * Finds the job's id in a success that is otherwise unusable. Without the id, a paid job would be
 * lost.
 */
export const findJobId = (json: unknown): string | undefined => {
  const { success, data } = fieldsOf(json);
  const id = success === true ? data?.job_id : undefined;
  return usableId(Number.isSafeInteger(id) ? String(id) : id);
};

/** Reads the job's id that this package's proxy adds to the envelope of a failure. */
export const jobIdOfProxy = (json: unknown): string | undefined => usableId(fieldsOf(json).job_id);

/** Reads the limit that this package's proxy adds to the envelope of a failure. */
export const limitOfProxy = (json: unknown): ReachedLimit | undefined => {
  const { kind, limit, windowMs, endsAt } = fieldsOf(json).limit ?? {};
  const isRight = typeof kind === "string" && [limit, windowMs, endsAt].every(Number.isFinite);
  return isRight ? ({ kind, limit, windowMs, endsAt } as ReachedLimit) : undefined;
};

/** A decoded response: data that the contract has checked, or a failure. */
export type Decoded = { readonly data: unknown; readonly code?: undefined } | Failure;

/**
 * The statuses with a code of their own. Each of them means that the request was not carried out.
 */
export const codeOfStatus: { readonly [status: number]: ErrorCode } = {
  400: "bad_request",
  401: "unauthorized",
  402: "payment_required",
  404: "not_found",
  429: "rate_limited",
};

export const isSuccessStatus = (status = 0): boolean => status >= 200 && status < 300;

/** Whether this package's proxy has answered: it always tells what became of a write. */
export const isOfProxy = ({ config }: Call, { headers }: AttemptEnd): boolean =>
  config.hasProxy && headers?.has(outcomeHeader) === true;

/** Returns the response's content type without parameters, or an empty text. */
const contentTypeOf = ({ headers, redactLine }: AttemptEnd): string =>
  redactLine((headers?.get("content-type") ?? "").split(";", 1)[0]?.trim() ?? "");

/** Describes a response that can't be the service's own. */
const describeForeign = ({ config }: Call, contentType: string, wanted: string): string =>
  `${contentType && ` with ${contentType}`}, not ${wanted} (check baseUrl: ${config.baseUrl.url})`;

/**
 * Whether a client without a key may have reached the service directly, without a proxy. The answer
 * to a write has an outcome header if it comes from a proxy. Reads of a page go to the page's own
 * origin, so they have reached a proxy.
 */
const mayLackProxy = (call: Call, ending: AttemptEnd): boolean => {
  const { endpoint, config } = call;
  const isRead = endpoint.method === "GET";
  return config.hasProxy && !(isRead ? config.sendsCallIds : isOfProxy(call, ending));
};

/**
 * Describes a response that reports a failure.
 *
 * @param words - The message of the service's envelope, or empty; `undefined` without an envelope
 */
const readFailed = (
  call: Call,
  ending: AttemptEnd,
  status: number,
  words: string | undefined,
): Failure => {
  const { json, failure, facts } = ending;
  const contentType =
    failure === undefined && words === undefined ? contentTypeOf(ending) : undefined;
  // Browsers show a redirect as status 0.
  let what = `answered ${status || "with a redirect"}`;
  if (words !== undefined) what += words && `: ${words}`;
  else if (status < 400) what += status === 304 ? "" : describeRedirect(call, ending);
  else if (contentType !== undefined && status < 500 && status !== 429) {
    what += describeForeign(call, contentType, "in the service's form");
  }
  if (status === 401 && mayLackProxy(call, ending)) {
    what += "; apiKey is null, which sends no key: is there a proxy at baseUrl that adds one?";
  }
  if (status === 429 && facts.retryAfterMs !== undefined) {
    what += `; try again in ${Math.ceil(facts.retryAfterMs / 1000)} s`;
  }
  return {
    // The proxy answers 409 only if the call id belongs to another request, or was dropped.
    code:
      status === 409 && isOfProxy(call, ending)
        ? "invalid_request"
        : (codeOfStatus[status] ?? (status > 499 ? "server_error" : "unexpected_status")),
    what,
    contentType,
    limit: status === 402 && call.config.hasProxy ? limitOfProxy(json) : undefined,
    supportedActions: words && status === 400 ? parseSupportedActions(words) : undefined,
  };
};

const parts = ["success", "data", "error"] as const satisfies (keyof Envelope)[];

/**
 * Names the missing fields of an envelope. If all are missing, the data is no envelope, and the
 * list wouldn't help.
 */
const describeMissing = (json: unknown): string => {
  const missing = parts.filter((part) => !Object.hasOwn(Object(json), part));
  return missing.length < parts.length && missing.length > 0
    ? `: it has no "${missing.join('" and no "')}"`
    : "";
};

const readOther = (call: Call, ending: AttemptEnd, status: number): Failure => {
  const contentType = contentTypeOf(ending);
  let what = " without a body";
  if (ending.text) {
    what = contentType.endsWith("json")
      ? " with broken or cut-off JSON"
      : describeForeign(call, contentType, "JSON");
  }
  return decodeFailure("not-json", `${status}${what}`, { contentType });
};

/**
 * Checks the data of a success by the contract. Fields that the contract doesn't name stay as
 * received. Returns the data, or the page of a list.
 */
const checkData = ({ endpoint }: Call, status: number, data: unknown): Decoded => {
  const { answer, list } = endpoint;
  const page = list === undefined ? { items: [data] } : readPage(data, list);
  if (page === undefined) {
    return decodeFailure("data", `${status}: its data holds no list "${list}"`);
  }
  const check = createCheck(answer);
  for (const [index, item] of page.items.entries()) {
    const found = check(item);
    if (found.length === 0) continue;
    const issues = found.map(({ path, message, input }) => ({
      path: list === undefined ? path : [list, index, ...path],
      message: `${message}, got ${describeKind(input)}`,
    }));
    return misfitFailure("data", "is not what was asked for", issues);
  }
  return { code: undefined, data: list === undefined ? data : page };
};

/**
 * Decodes a response: its data, or a failure.
 *
 * @param words - The `error` of the service's envelope, without the key
 */
export const decode = (call: Call, ending: AttemptEnd, words: string | undefined): Decoded => {
  const { failure, facts, headers, json, text } = ending;
  const { status = 0 } = facts;
  const { success, data, error } = fieldsOf(json);
  // A truncated body doesn't count as a refusal, and an aborted call never got a response.
  const isRefusal = failure === undefined && success === false;
  const hasFailed =
    headers !== undefined && !isSuccessStatus(status) && failure?.code !== "aborted";
  if (hasFailed || isRefusal) {
    return readFailed(call, ending, status, isRefusal ? (words ?? "") : undefined);
  }
  if (failure !== undefined) return failure;

  const { empty } = call;
  if (empty && !text) return { code: undefined, data: empty };
  if (json === undefined) return readOther(call, ending, status);
  if (success === true && error === null) {
    return checkData(call, status, empty ? (data ?? empty) : data);
  }
  const form = "not in the service's form { success, data, error }";
  return decodeFailure("envelope", `${status}, ${form}${describeMissing(json)}`);
};
