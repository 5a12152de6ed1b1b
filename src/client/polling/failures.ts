import { accountWideCodes } from "../errors/code-groups.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import type { PollTicket } from "./poll-ticket.ts";

/** A job that was just submitted may not be found everywhere at once. */
export const notFoundToleranceMs = 10_000;

/** An answer that comes so often in a row, for so long, will not change by itself. */
const lastingPolls = 3;
const lastingMs = 30_000;

/** Codes and statuses by which the service says that no further poll can succeed. */
const refusals: readonly unknown[] = ["bad_request", ...accountWideCodes, 403, 410];

/** The same answer again and again, which might be for good. */
type LastingFailure = NonNullable<PollTicket["failure"]>;

/**
 * Whether polling goes on after a failed poll. A fatal failure ends the wait at once: the next poll could only fail again.
 * A lasting one may be an answer that no further poll can change. Any other will pass.
 */
export const classifyFailure = (
  error: AnyAdGenError,
  wasSeen: boolean,
  elapsedMs: number,
): "fatal" | "lasting" | "passing" => {
  const { code, status } = error;
  // A proxy's or a login page has answered in the service's place.
  const isPage = error.contentType !== undefined;
  const isRefusal = refusals.includes(code) || refusals.includes(status);
  if (code === "aborted" || code === "invalid_request") return "fatal";
  if (code === "config") {
    // A key function may give a good key the next time. Other mistakes of set-up have no attempt
    // (they are found before it) or a cause (the runtime refuses the request).
    return error.attempts === undefined || error.cause !== undefined ? "fatal" : "passing";
  }
  // With `lastJob`: a finished job whose result does not fit the caller's schema.
  const isUnusable = code === "decode" && (error.reason === "too-large" || error.lastJob);
  const isGone = code === "not_found" && (wasSeen || elapsedMs >= notFoundToleranceMs);
  if (isUnusable || ((isRefusal || isGone) && !isPage)) return "fatal";
  if (isRefusal || code === "not_found") return "lasting";
  // A page in the place of a job that was seen is an outage.
  const isAnswer = code === "decode" || (code === "unexpected_status" && status !== 408);
  return isAnswer && !(isPage && wasSeen) ? "lasting" : "passing";
};

export const countFailure = (
  earlier: LastingFailure | undefined,
  error: AnyAdGenError,
  elapsedMs: number,
): LastingFailure => {
  const reason = error.code === "decode" ? error.reason : "";
  const kind = [error.code, error.status, reason, error.contentType].join(" ").slice(0, 100);
  return earlier?.kind === kind
    ? { ...earlier, polls: earlier.polls + 1 }
    : { kind, sinceMs: elapsedMs, polls: 1 };
};

export const hasLasted = ({ polls, sinceMs }: LastingFailure, elapsedMs: number): boolean =>
  polls >= lastingPolls && elapsedMs - sinceMs >= lastingMs;
