import { errorOfStatus, isOk, type Progress } from "./decode.ts";
import type { ErrorContext } from "./error-context.ts";
import { type AdGenError, callError, isAdGenError } from "./errors.ts";
import { neverSentCodes } from "./retry.ts";

export const abortedError = (signal: AbortSignal, context: ErrorContext): AdGenError =>
  callError("aborted", "was aborted", { ...context, cause: signal.reason });

interface SystemError {
  code?: unknown;
  cause?: unknown;
  message?: unknown;
}

/**
 * What is at the root of a fetch's error, as an error of its own: the original's chain may
 * hold the request, and with it the key.
 */
const rootCause = (error: unknown, clean: Progress["clean"]): Error & SystemError => {
  try {
    let root = error as SystemError;
    for (let depth = 0; depth < 5 && root?.cause; depth++) root = root.cause;
    const { code, message } = root ?? {};
    const cause: Error & SystemError = new Error(clean(String(message || code || error)));
    if (typeof code === "string") cause.code = clean(code);
    return cause;
  } catch {
    return new Error("unreadable"); // what a fetch of the caller's has thrown
  }
};

/** Every way an attempt can fail, as one of our errors. */
export const failureOf = (
  error: unknown,
  progress: Progress,
  signal: AbortSignal | undefined,
): AdGenError => {
  const { before, context, expired, clean } = progress;
  const { status } = context;
  if (isAdGenError(error)) return error;
  if (signal?.aborted) return abortedError(signal, context);
  if (status !== undefined && !isOk(context)) return errorOfStatus(progress);
  if (expired) return callError("timeout", "timed out", context);
  const cause = rootCause(error, clean);
  const known = { ...context, cause };
  if (status === undefined && neverSentCodes.includes(cause.code ?? cause.message))
    known.outcome = before;
  const what = status ? "was cut off" : "got no answer";
  return callError("connection", `${what}: ${cause.message}`, known);
};
