import { accountWideCodes } from "../errors/code-groups.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import type { PollTicket } from "./poll-ticket.ts";

/** For this long, a new job may answer 404, because it may not be found everywhere at once. */
export const notFoundToleranceMs = 10_000;

/** A failure that is repeated at least this often, over at least this time, counts as permanent. */
const lastingPolls = 3;
const lastingMs = 30_000;

/** Codes and statuses by which the service says that no further poll can succeed. */
const refusals: readonly unknown[] = ["bad_request", ...accountWideCodes, 403, 410];

/** A failure that came several times in a row, and may be permanent. */
type LastingFailure = NonNullable<PollTicket["failure"]>;

/**
 * Decides whether polling goes on after a failed poll. A fatal failure ends the wait at once,
 * because the next poll could only fail again. A lasting failure may be permanent. Any other
 * failure is temporary.
 */
export const classifyFailure = (
  error: AnyAdGenError,
  wasSeen: boolean,
  elapsedMs: number,
): "fatal" | "lasting" | "passing" => {
  const { code, status } = error;
  // A proxy or a login page answered instead of the service.
  const isPage = error.contentType !== undefined;
  const isRefusal = refusals.includes(code) || refusals.includes(status);
  if (code === "aborted" || code === "invalid_request") return "fatal";
  if (code === "config") {
    // A key function may return a good key the next time. Any other mistake of set-up has no
    // attempts, because it is found earlier, or has a cause, because the runtime refused the
    // request.
    return error.attempts === undefined || error.cause !== undefined ? "fatal" : "passing";
  }
  // An error with `lastJob` means a finished job whose result doesn't fit the caller's schema.
  const isUnusable = code === "decode" && (error.reason === "too-large" || error.lastJob);
  const isGone = code === "not_found" && (wasSeen || elapsedMs >= notFoundToleranceMs);
  if (isUnusable || ((isRefusal || isGone) && !isPage)) return "fatal";
  if (isRefusal || code === "not_found") return "lasting";
  // An HTML page instead of a job that was already seen is an outage.
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
