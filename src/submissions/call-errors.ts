import type { Doubt } from "../errors/doubt.ts";
import type { ErrorFields } from "../errors/error-fields.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { makeError } from "../errors/make-error.ts";
import { oneLine } from "../errors/text.ts";
import type { Attempt } from "./records.ts";

/** One paid call, ready to begin. */
export interface PreparedCall {
  readonly id: string;
  readonly attempt: Omit<Attempt, "token">;
  readonly digest: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly leftMs: () => number;
  /** Time for which this call may still wait for another one of its id. */
  readonly waitLeftMs: () => number;
}

export const quote = (id: string): string => JSON.stringify(oneLine(id, 100));

/** Fate of a call that sent nothing: an earlier one with the caller's id may have. */
const fateOf = ({ attempt }: Pick<PreparedCall, "attempt">): ErrorFields =>
  ({ outcome: attempt.isGenerated ? "not-sent" : "unknown" }) as const;

export const otherRequestError = ({ id }: Pick<PreparedCall, "id">): AnyAdGenError =>
  makeError(
    "invalid_request",
    `the id ${quote(id)} belongs to another request: take a new id for each, or repeat that one`,
    { outcome: "not-sent" },
  );

export const droppedError = (call: Pick<PreparedCall, "id" | "attempt">): AnyAdGenError =>
  makeError(
    "invalid_request",
    `the submission ${quote(call.id)} was dropped by a decision: take a new id to submit again`,
    fateOf(call),
  );

export const underWayError = (call: PreparedCall, retryAfterMs: number): AnyAdGenError =>
  makeError(
    "under_way",
    `the submission ${quote(call.id)} is under way elsewhere, and has no answer yet: ask again later`,
    { ...fateOf(call), retryAfterMs: Math.max(1, Math.ceil(retryAfterMs)) },
  );

/** Refuses a decision by which the same request could be paid twice. */
export const mayArriveError = (id: string, leftMs: number): AnyAdGenError => {
  const retryAfterMs = Math.max(1, Math.ceil(leftMs));
  const message =
    `the service may still carry out the submission ${quote(id)}: wait ` +
    `${Math.ceil(retryAfterMs / 1_000)} s, recover again, and decide by the candidates you get then`;
  return makeError("under_way", message, { retryAfterMs });
};

export const inDoubtError = (call: PreparedCall, doubt: Doubt): AnyAdGenError => {
  const message =
    `the submission ${quote(call.id)} of ${doubt.submittedAt} may have been carried out ` +
    `(${doubt.why}), so nothing was sent: decide with submissions.decide(error.doubt, …)`;
  return makeError("in_doubt", message, { ...fateOf(call), doubt });
};

export const abortedError = (call: PreparedCall): AnyAdGenError =>
  makeError("aborted", `the submission ${quote(call.id)} was aborted before anything was sent`, {
    ...fateOf(call),
    cause: call.signal?.reason,
  });
