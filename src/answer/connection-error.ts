import type { ErrorFields } from "../errors/error-fields.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { callError } from "../errors/make-error.ts";
import { type Clean, describeValue, oneLine } from "../errors/text.ts";
import type { KeyFailure } from "../options/client-options.ts";
import type { Call, Ending } from "../transport/call.ts";
import { chainOf } from "./failed-fetch.ts";

interface RootCause extends Error {
  code?: unknown;
}

/**
 * Copies the error at the root of a fetch's error. The original's chain may hold the request,
 * and with it the key.
 */
const rootCauseOf = (thrown: unknown, clean: Clean): RootCause => {
  const chain = chainOf(thrown);
  // The innermost link with something to say: Node's fetch hangs an empty one below some errors.
  const { code = "", message = "" } = chain.findLast((link) => link.message || link.code) ?? {};
  const text = typeof thrown === "object" ? "unreadable" : `${describeValue(thrown)} was thrown`;
  const copy: RootCause = new Error(clean(message || code || text));
  if (code !== "") copy.code = clean(code);
  return copy;
};

/** Adds what to do to messages whose usual reason is known. */
const describeCause = ({ message }: Error, call: Call): string => {
  if (message === "bad port") return `port ${new URL(call.url).port} is blocked by fetch`;
  if (message.includes("wrong version number")) {
    return "the service speaks no TLS (wrong version number): is baseUrl http, not https?";
  }
  if (call.config.fetch && /(invalid|parse) url/i.test(message)) {
    return `${message}: your fetch does not take a Request; wrap it, and hand it request.url`;
  }
  if (message === "fetch failed") return `${message} without a reason (a 407 ends so)`;
  return message;
};

/** Makes the error of an attempt for which the key function gave no key. */
export const keyError = (
  call: Call,
  { problem, cause: thrown }: KeyFailure,
  fields: ErrorFields,
): AnyAdGenError => {
  if (problem !== undefined) {
    return callError(call, "config", `was not sent: the apiKey function ${problem}`, fields);
  }
  // A copy of its message alone: a vault's error may hold the token that it was asked with.
  const cause = rootCauseOf(thrown, oneLine);
  const what = `was not sent: the apiKey function failed: ${cause.message}`;
  return callError(call, "connection", what, { ...fields, cause });
};

/** Makes the error of an attempt that got no answer, or only a part of one. */
export const connectionError = (call: Call, ending: Ending, fields: ErrorFields): AnyAdGenError => {
  const cause = rootCauseOf(ending.thrown, ending.clean);
  const more = { ...fields, cause };
  if (ending.head !== undefined) {
    const what = cause.message.startsWith("your fetch") ? "could not be read" : "was cut off";
    return callError(call, "connection", `${what}: ${cause.message}`, more);
  }
  if (!ending.wasHandedOver) {
    // The runtime refused to make the request: it will again. Foreign AbortSignals are an example.
    return callError(call, "config", `cannot be made here: ${cause.message}`, more);
  }
  return callError(call, "connection", `got no answer: ${describeCause(cause, call)}`, more);
};
